import type { Store } from '@hykube/server/storage'
import type { Objects } from './objects.ts'

export interface CreateFigures {
  /** Creates per second. */
  readonly rate: number
  /** Milliseconds from call to acknowledgement. */
  readonly p50: number
  readonly p99: number
  readonly slowest: number
  /** Largest size of the write-ahead log, in bytes. */
  readonly walBytes: number
}

/** Creates objects with `inFlight` concurrent calls. */
export async function measureCreates(
  store: Store,
  objects: Objects,
  { count, inFlight }: { readonly count: number; readonly inFlight: number },
): Promise<CreateFigures> {
  const latencies = new Float64Array(count)
  let started = 0
  let walBytes = 0
  const worker = async () => {
    while (started < count) {
      const at = started++
      const begin = performance.now()
      const outcome = await store.commit({ operations: [objects.take()] })
      if (outcome.kind !== 'committed') throw new Error('a create was rejected')
      latencies[at] = performance.now() - begin
      if (at % 5000 === 0) walBytes = Math.max(walBytes, (await store.statistics()).details.walBytes!)
    }
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: inFlight }, worker))
  const seconds = (performance.now() - begin) / 1000
  latencies.sort()
  const at = (share: number) => latencies[Math.floor((count - 1) * share)]!
  return { rate: count / seconds, p50: at(0.5), p99: at(0.99), slowest: at(1), walBytes }
}
