/**
 * Maps items with limited concurrency; results are in the order of the items. A failure ends its lane; the first one is
 * thrown when the other lanes have ended.
 */
export async function inParallel<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  // A generator queues concurrent calls of next(), so that lanes can share it.
  const source = (async function* () {
    yield* items
  })()
  const results: R[] = []
  let taken = 0
  const lane = async () => {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      const index = taken++
      results[index] = await work(next.value)
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: limit }, lane))
  const failed = lanes.find((each) => each.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
