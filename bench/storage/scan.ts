import type { Key, Store } from '@hykube/server/storage'

export interface ScanFigures {
  /** Megabytes per second of wall-clock time and of processor time. */
  readonly rate: number
  readonly cpuRate: number
  /** Milliseconds that another reader waited for its turn: the maximum, and the 99.9th percentile. */
  readonly holdUp: number
  readonly usualHoldUp: number
}

/** Reads everything in key order, one page per event-loop turn, while another reader competes for each turn. */
export async function measureScan(store: Store): Promise<ScanFigures> {
  const range = { space: 'objects' }
  // One scan warms the file cache, the second is measured.
  for (let last = await warm(store); last !== undefined; last = await warm(store, last));
  const waits: number[] = []
  let scanning = true
  const reading = (async () => {
    while (scanning) {
      const begin = performance.now()
      await nextTurn()
      await store.count(range)
      waits.push(performance.now() - begin)
    }
  })()
  const cpu = process.cpuUsage()
  const begin = performance.now()
  let bytes = 0
  let page = await store.scanJoined(range)
  for (;;) {
    bytes += page!.bytes.length
    if (page!.last === undefined) break
    await nextTurn()
    page = await store.scanJoined(range, { after: page!.last, revision: page!.revision })
  }
  const milliseconds = performance.now() - begin
  const used = process.cpuUsage(cpu)
  scanning = false
  await reading
  waits.sort((a, b) => a - b)
  return {
    rate: bytes / milliseconds / 1000,
    cpuRate: bytes / (used.user + used.system),
    holdUp: waits.at(-1)!,
    usualHoldUp: waits[Math.floor(waits.length * 0.999)]!,
  }
}

async function warm(store: Store, after?: Key): Promise<Key | undefined> {
  return (await store.scanJoined({ space: 'objects' }, { limit: 500, ...(after && { after }) }))?.last
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
