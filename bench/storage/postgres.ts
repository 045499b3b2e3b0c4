// PostgreSQL part of `npm run bench -- storage`: durable creates of 2 KB values from one server and from two on a
// shared database, reads, and the loss of one of two servers. Can run alone: `node bench/storage/postgres.ts`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { encodeKey, openPostgresStore, type Store } from '@hykube/server/storage'
import { findPostgres, PostgresServer } from '@hykube/server/storage/testing'
import { benchSpaces, type WriterResult, type WriterTask, write } from './postgres-writer.ts'

/** One row of the table. */
export interface BenchRow {
  readonly name: string
  readonly perSecond: number
  readonly target?: number
  readonly p50?: number
  readonly p99?: number
  readonly errors?: number
  readonly note?: string
}

/** Runs all measurements on a temporary PostgreSQL server and passes each row on. */
export async function benchPostgres(row: (row: BenchRow) => void, scale = 1): Promise<void> {
  const search = findPostgres()
  if (search.kind === 'missing') return console.log(`SKIPPED postgres: ${search.reason}`)
  const server = await PostgresServer.start({ bin: search.bin, settings: { max_wal_size: '4GB' } })
  try {
    await benchOne(server.url(), row, scale)
    await benchTwo(server.url(), row, scale)
    await benchKilled(server.url(), row, scale)
  } finally {
    await server.close()
  }
}

async function benchOne(url: string, row: (row: BenchRow) => void, scale: number): Promise<void> {
  const store = await openPostgresStore({ url, schema: 'one', spaces: benchSpaces })
  for (const [inFlight, total] of [
    [1, 3_000],
    [256, 100_000],
    [1_000, 100_000],
  ] as const) {
    const task = {
      url,
      schema: 'one',
      name: `n${inFlight}`,
      inFlight,
      follow: false,
      report: false,
      keys: 1e9,
      total: total * scale,
    }
    const { committed, seconds, errors, p50, p99 } = await write(store, task)
    const target = inFlight === 1 ? {} : { target: 12_000 }
    row({ name: `create, ${inFlight} in flight`, perSecond: committed / seconds, errors, p50, p99, ...target })
  }
  await benchReads(store, row, scale)
  await store.close()
}

async function benchReads(store: Store, row: (row: BenchRow) => void, scale: number): Promise<void> {
  const { entries } = await store.scan({ space: 'objects' })
  const total = 50_000 * scale
  let next = 0
  let begin = performance.now()
  const one = async () => {
    while (next < total) await store.get(entries[next++ % entries.length]!.key)
  }
  await Promise.all(Array.from({ length: 64 }, one))
  row({ name: 'get, 64 in flight', perSecond: total / ((performance.now() - begin) / 1_000) })
  begin = performance.now()
  let [count, page] = [0, await store.scan({ space: 'objects' })]
  for (count = page.entries.length; page.last !== undefined; count += page.entries.length) {
    page = await store.scan({ space: 'objects' }, { revision: page.revision, after: page.last })
  }
  const seconds = (performance.now() - begin) / 1_000
  const megabytes = Math.round((count * 2048) / 1e6 / seconds)
  row({ name: 'scan in pages of 500', perSecond: count / seconds, note: `${megabytes} MB/s` })
}

async function benchTwo(url: string, row: (row: BenchRow) => void, scale: number): Promise<void> {
  const total = 50_000 * scale
  const cases = [
    ['two servers, disjoint keys', ['left', 'right'], { total, keys: 1e9, follow: false }],
    ['two servers, the same 1,000 keys', ['same', 'same'], { total, keys: 1_000, follow: false }],
    ['two servers, disjoint keys, a follower on each', ['left', 'right'], { total, keys: 1e9, follow: true }],
  ] as const
  for (const [index, [name, names, shape]] of cases.entries()) {
    const writers = await Promise.all(
      names.map((each) =>
        startWriter({ url, schema: `two_${index}`, name: each, inFlight: 500, report: false, ...shape }),
      ),
    )
    const begin = performance.now()
    const results = await Promise.all(writers.map((writer) => writer.run()))
    const seconds = (performance.now() - begin) / 1_000
    const sum = (pick: (result: WriterResult) => number) => results.reduce((total, each) => total + pick(each), 0)
    const committed = sum((each) => each.committed)
    const p99 = Math.max(...results.map((each) => each.p99))
    const note = shape.follow ? `received ${sum((each) => each.received)}, missed ${sum((each) => each.missed)}` : ''
    row({
      name,
      perSecond: committed / seconds,
      target: 12_000,
      p99,
      errors: sum((each) => each.errors + each.missed),
      note,
    })
  }
}

async function benchKilled(url: string, row: (row: BenchRow) => void, scale: number): Promise<void> {
  const shape = { url, schema: 'killed', inFlight: 500, total: 50_000 * scale, keys: 1e9, follow: false, report: true }
  const [killed, survivor] = await Promise.all(['left', 'right'].map((name) => startWriter({ ...shape, name })))
  const begin = performance.now()
  const surviving = survivor!.run()
  killed!.run().catch(() => {})
  await killed!.reaches(shape.total / 5)
  const acknowledged = killed!.kill()
  const { errors } = await surviving
  const seconds = (performance.now() - begin) / 1_000
  const store = await openPostgresStore({ url, schema: 'killed', spaces: benchSpaces })
  const keys = [...acknowledged, ...survivor!.acknowledged]
  const found = await Promise.all(keys.map((key) => store.get(encodeKey('objects', ['root', 'default', key]))))
  const lost = found.filter((entry) => entry === undefined).length
  await store.close()
  const note = `${keys.length} acknowledged, ${lost} lost`
  row({
    name: 'two servers, one killed',
    perSecond: keys.length / seconds,
    target: 12_000,
    errors: errors + lost,
    note,
  })
}

interface Writer {
  readonly acknowledged: readonly string[]
  run(): Promise<WriterResult>
  /** Resolves when `count` commits were acknowledged. */
  reaches(count: number): Promise<void>
  /** Kills the process and returns the keys it had acknowledged. */
  kill(): readonly string[]
}

async function startWriter(task: WriterTask): Promise<Writer> {
  const child = fork(fileURLToPath(new URL('postgres-writer.ts', import.meta.url)), { serialization: 'advanced' })
  const acknowledged: string[] = []
  let arrived = () => {}
  const result = new Promise<WriterResult>((resolve, reject) => {
    child.on('message', (message: 'ready' | { keys: string[] } | WriterResult) => {
      if (typeof message === 'string') return
      if ('keys' in message) acknowledged.push(...message.keys)
      else resolve(message)
      arrived()
    })
    child.on('exit', (code) => reject(new Error(`a writer ended with ${code}`)))
  })
  result.catch(() => {})
  child.send(task)
  await once(child, 'message')
  return {
    acknowledged,
    run() {
      child.send('go')
      return result
    },
    async reaches(count) {
      while (acknowledged.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
    kill() {
      child.kill('SIGKILL')
      return acknowledged
    },
  }
}

if (import.meta.main) {
  const scale = Number(process.argv[2] ?? 1)
  console.log(`load before: ${loadavg()[0]!.toFixed(2)}`)
  const lines: string[] = []
  await benchPostgres((row) => {
    const number = (value: number | undefined, digits = 0) => (value === undefined ? '' : value.toFixed(digits))
    const columns = [
      row.name.padEnd(48),
      number(row.perSecond).padStart(8),
      number(row.target).padStart(8),
      number(row.p50, 1).padStart(8),
      number(row.p99, 1).padStart(8),
      number(row.errors).padStart(7),
      row.note ?? '',
    ]
    if (lines.length === 0) console.log(`${''.padEnd(48)}      /s   target   p50 ms   p99 ms  errors`)
    console.log(columns.join(' '))
    lines.push(JSON.stringify({ bench: 'storage', backend: 'postgres', ...row }))
  }, scale)
  for (const line of lines) console.log(line)
}
