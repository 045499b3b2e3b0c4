/** A step of the place that an author names: an attribute, block or key of a map, or an index. */
export type Place = readonly (string | number)[]

/** A value that is not of its type, with the place where. */
export class MisfitError extends Error {
  readonly place: Place

  constructor(message: string, place: Place = []) {
    super(message)
    this.name = 'MisfitError'
    this.place = place
  }
}

export function misfit(message: string): never {
  throw new MisfitError(message)
}

/** Does something with a part of a value, so that a misfit in it names the part. */
export function within<T>(step: string | number, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw errorWithin(step, error)
  }
}

/** Does something with each part of a value that has a name, likewise. */
export function eachWithin<T>(parts: Iterable<readonly [string, T]>, body: (name: string, part: T) => void): void {
  let at = ''
  try {
    for (const [name, part] of parts) {
      at = name
      body(name, part)
    }
  } catch (error) {
    throw errorWithin(at, error)
  }
}

function errorWithin(step: string | number, error: unknown): unknown {
  return error instanceof MisfitError ? new MisfitError(error.message, [step, ...error.place]) : error
}
