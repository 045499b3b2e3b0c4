/** Yields each value passed through a function, one at a time and in order. */
export async function* mapAsync<T, U>(source: AsyncIterable<T>, map: (value: T) => U | Promise<U>): AsyncGenerator<U> {
  for await (const value of source) yield await map(value)
}

/** Yields the values for which the test returns true. */
export async function* filterAsync<T>(source: AsyncIterable<T>, test: (value: T) => boolean): AsyncGenerator<T> {
  for await (const value of source) if (test(value)) yield value
}

/** Yields at most `count` values and then closes the source, without reading one value more. */
export async function* takeAsync<T>(source: AsyncIterable<T>, count: number): AsyncGenerator<T> {
  if (count <= 0) return
  let taken = 0
  for await (const value of source) {
    yield value
    if (++taken === count) return
  }
}

/** Reads the source to its end into a list. */
export async function collectAsync<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = []
  for await (const value of source) values.push(value)
  return values
}
