/** A path in the author's notation: names of attributes, blocks or map keys, and list indexes. */
export type Place = readonly (string | number)[]

/** A value that does not fit its type, with the path to it. */
export class TypeMismatchError extends Error {
  readonly place: Place

  constructor(message: string, place: Place = []) {
    super(message)
    this.name = 'TypeMismatchError'
    this.place = place
  }
}

/** Throws a TypeMismatchError without a path; `within` adds the path. */
export function mismatch(message: string): never {
  throw new TypeMismatchError(message)
}

/** Processes a part of a value and prepends the step to the path of a mismatch in it. */
export function within<T>(step: string | number, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw errorWithin(step, error)
  }
}

/** Like `within` for each named part, with a single try block for speed. */
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
  return error instanceof TypeMismatchError ? new TypeMismatchError(error.message, [step, ...error.place]) : error
}
