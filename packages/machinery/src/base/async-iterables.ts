/** Each value passed through a function. */
export async function* mapAsync<T, U>(source: AsyncIterable<T>, map: (value: T) => U | Promise<U>): AsyncGenerator<U> {
  for await (const value of source) yield await map(value)
}

/** The values for which the test holds. */
export async function* filterAsync<T>(source: AsyncIterable<T>, test: (value: T) => boolean): AsyncGenerator<T> {
  for await (const value of source) if (test(value)) yield value
}

/** The first values, at most so many; the source is closed after them. */
export async function* takeAsync<T>(source: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  if (count <= 0) return
  let taken = 0
  for await (const value of source) {
    yield value
    if (++taken === count) return
  }
}

/** Every value, in a list. */
export async function collectAsync<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = []
  for await (const value of source) values.push(value)
  return values
}
