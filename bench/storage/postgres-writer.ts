// A process that writes to a PostgreSQL store as fast as it can, for `postgres.ts`. It is told what to do in one message,
// and says what came of it in another.
import { encodeKey, openPostgresStore, type Store } from '@hykube/server/storage'

/** What a writer does. */
export interface WriterTask {
  readonly url: string
  readonly schema: string
  /** Keys begin with it: writers with the same name write the same keys. */
  readonly name: string
  readonly total: number
  readonly inFlight: number
  /** Among how many keys; more than `total` for creates only. */
  readonly keys: number
  readonly follow: boolean
  /** Whether each acknowledged key is told while it goes on. */
  readonly report: boolean
}

/** What came of it. */
export interface WriterResult {
  readonly seconds: number
  readonly committed: number
  readonly errors: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Changes that a follower was told, when one was asked for, and those there were when this writer ended. */
  readonly told: number
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
  return { seconds, committed, errors, p50: quantile(0.5), p99: quantile(0.99), told: 0, missed: 0 }
}

// Names in an order that has nothing to do with the order of keys, as in life.
function scatter(number: number): string {
  return (Math.imul(number + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
}

if (process.send !== undefined) {
  process.on('disconnect', () => process.exit())
  process.once('message', async (task: WriterTask) => {
    const store = await openPostgresStore({ url: task.url, schema: task.schema, spaces: benchSpaces })
    const stop = new AbortController()
    const from = await store.now()
    const told = task.follow ? follow(store, from, stop.signal) : undefined
    process.send!('ready')
    process.once('message', async () => {
      const result = await write(store, task, task.report ? reporter() : undefined)
      // The follower is given a moment to be told the last of what both wrote.
      const now = await store.now()
      const seen = (await told?.until(now)) ?? { count: 0, reached: from }
      stop.abort()
      // Every revision here is one change.
      const missed = seen.reached - from - seen.count
      process.send!({ ...result, told: seen.count, missed }, () => process.exit())
    })
  })
}

// One message for whatever was acknowledged in a turn, so that telling costs less than writing.
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
  /** What it was told when it had been told of a revision. */
  until(revision: number): Promise<{ readonly count: number; readonly reached: number }>
}
