// A process that writes to a PostgreSQL store at maximum rate, for `postgres.ts`. It receives its task in one message
// and sends the result in another.
import { encodeKey, openPostgresStore, type Store } from '@hykube/server/storage'

/** Task of a writer. */
export interface WriterTask {
  readonly url: string
  readonly schema: string
  /** Key prefix: writers with the same name write the same keys. */
  readonly name: string
  readonly total: number
  readonly inFlight: number
  /** Number of distinct keys; more than `total` for creates only. */
  readonly keys: number
  readonly follow: boolean
  /** When true, each acknowledged key is sent while the run continues. */
  readonly report: boolean
}

/** Result of a writer. */
export interface WriterResult {
  readonly seconds: number
  readonly committed: number
  readonly errors: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Changes that the follower received, if requested, and changes that it missed. */
  readonly received: number
  readonly missed: number
}

export const benchSpaces = [{ name: 'objects', segments: 3, history: true }]

/** Writes and measures. `progress` is called with each acknowledged key. */
export async function write(store: Store, task: WriterTask, progress?: (key: string) => void): Promise<WriterResult> {
  const value = Buffer.alloc(2048, 'x')
  const latencies = new Float64Array(task.total)
  let [next, committed, errors] = [0, 0, 0]
  const one = async () => {
    while (next < task.total) {
      const number = next++
      const name = `${task.name}-${scatter(number % task.keys)}`
      const key = encodeKey('objects', ['root', 'default', name])
      const begin = performance.now()
      try {
        const expect = task.keys >= task.total ? 'absent' : 'any'
        const outcome = await store.commit({ operations: [{ kind: 'put', key, value, expect }] })
        if (outcome.kind === 'committed') progress?.(name)
        if (outcome.kind === 'committed') committed++
        else errors++
      } catch {
        errors++
      }
      latencies[number] = performance.now() - begin
    }
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: task.inFlight }, one))
  const seconds = (performance.now() - begin) / 1_000
  latencies.sort()
  const quantile = (share: number) => latencies[Math.floor(share * (task.total - 1))]!
  return { seconds, committed, errors, p50: quantile(0.5), p99: quantile(0.99), received: 0, missed: 0 }
}

// Names in an order unrelated to key order.
function scatter(number: number): string {
  return (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
}

if (process.send !== undefined) {
  process.on('disconnect', () => process.exit())
  process.once('message', async (task: WriterTask) => {
    const store = await openPostgresStore({ url: task.url, schema: task.schema, spaces: benchSpaces })
    const stop = new AbortController()
    const from = await store.now()
    const follower = task.follow ? follow(store, from, stop.signal) : undefined
    process.send!('ready')
    process.once('message', async () => {
      const result = await write(store, task, task.report ? reporter() : undefined)
      // The follower gets time to receive the last changes of both writers.
      const now = await store.now()
      const seen = (await follower?.until(now)) ?? { count: 0, reached: from }
      stop.abort()
      // In this benchmark every revision is one change.
      const missed = seen.reached - from - seen.count
      process.send!({ ...result, received: seen.count, missed }, () => process.exit())
    })
  })
}

// One message per event-loop turn, so that reporting costs less than writing.
function reporter(): (key: string) => void {
  let keys: string[] = []
  const tell = () => {
    process.send!({ keys })
    keys = []
  }
  return (key) => {
    if (keys.push(key) === 1) setImmediate(tell)
  }
}

function follow(store: Store, from: number, signal: AbortSignal): Following {
  let [count, reached] = [0, from]
  let arrived = () => {}
  const run = async () => {
    for await (const batch of store.changes(from, { signal })) {
      count += batch.changes.length
      reached = batch.revision
      arrived()
    }
  }
  void run()
  return {
    async until(revision) {
      while (reached < revision) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
      return { count, reached }
    },
  }
}

interface Following {
  /** Resolves when the follower has reached a revision. */
  until(revision: number): Promise<{ readonly count: number; readonly reached: number }>
}
