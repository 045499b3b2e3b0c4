import { BoundedQueue, onAbort } from '@hykube/machinery/base'
import type { ObservedChange } from './observed-change.ts'
import type { WatchHub } from './watch-hub.ts'

/** Streams what `pick` makes of the store's changes until the signal aborts; it leaves out those it returns undefined for. */
export function changeFeed<T>(
  hub: WatchHub,
  signal: AbortSignal,
  pick: (change: ObservedChange) => T | undefined,
): AsyncIterable<T> {
  const queue = new BoundedQueue<T>(Number.POSITIVE_INFINITY)
  const unlisten = hub.listen((changes) => {
    for (const change of changes) {
      const picked = pick(change)
      if (picked !== undefined) queue.offer(picked)
    }
  })
  onAbort(signal, () => {
    unlisten()
    queue.close()
  })
  return queue
}
