import { inParallel } from '@hykube/machinery/base'

/** Processes items with bounded concurrency. All items are attempted; then the first error is thrown. */
export async function attemptAll<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  await inParallel(items, limit, (item) => work(item).catch((error) => void failures.push(error)))
  if (failures.length > 0) throw failures[0]
}
