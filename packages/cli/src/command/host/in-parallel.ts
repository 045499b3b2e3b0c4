/** Maps items with limited concurrency; results are in the order of the items. The first failure rejects. */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, atATime = 16): Promise<R[]> {
  const results: R[] = new Array(items.length)
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await work(items[index]!)
    }
  }
  const lanes = Array.from({ length: Math.min(atATime, items.length) }, lane)
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
