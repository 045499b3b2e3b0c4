import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSqliteStore } from '@hykube/server/storage'
import { measureColdStart } from './cold-start.ts'
import { measureCreates } from './creates.ts'
import { createObjects, spaces } from './objects.ts'
import { type BenchRow, benchPostgres } from './postgres.ts'
import { printTable, type Row } from './rows.ts'
import { measureScan } from './scan.ts'

// Benchmark of the storage backends: `npm run bench -- storage [--quick] [--store sqlite|postgres|all] [--objects N]
// [--dir DIR] [--map-bytes N]`.
const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== 'storage'),
  options: {
    quick: { type: 'boolean', default: false },
    store: { type: 'string', default: 'all' },
    objects: { type: 'string' },
    // Must be a real disk: syncing to a memory file system costs nothing.
    dir: { type: 'string', default: '.cache/bench' },
    'map-bytes': { type: 'string' },
  },
})
const total = Number(values.objects ?? (values.quick ? 50_000 : 1_000_000))
const rows: Row[] = []
if (values.store !== 'postgres') await benchSqlite()
if (values.store !== 'sqlite') await benchPostgres(addPostgresRow, values.quick ? 0.1 : 1)
printTable('storage', rows)

function addPostgresRow({ name, perSecond, target, p99, errors, note }: BenchRow): void {
  const facts = [p99 === undefined ? '' : `p99 ${p99.toFixed(1)} ms`, errors ? `${errors} errors` : '', note ?? '']
  const row = ['postgres', name, ...facts.filter((fact) => fact !== '')].join(', ')
  rows.push({ row, value: perSecond, unit: '/s', ...(target === undefined ? {} : { target: `>= ${target}` }) })
}

async function benchSqlite(): Promise<void> {
  mkdirSync(values.dir, { recursive: true })
  const directory = mkdtempSync(join(values.dir, 'storage-'))
  const file = join(directory, 'data.db')

  try {
    const objects = createObjects(total * 2)
    const options = {
      file,
      spaces,
      report: (message: string) => console.error(message),
      ...(values['map-bytes'] && { mapBytes: Number(values['map-bytes']) }),
    }
    let store = await openSqliteStore(options)
    await measureCreates(store, objects, { count: 2000, inFlight: 64 })
    const single = await measureCreates(store, objects, { count: values.quick ? 1000 : 5000, inFlight: 1 })
    rows.push({ row: 'creates, one in flight', value: single.rate, unit: '/s', target: '>= 2500' })
    rows.push({ row: 'creates, one in flight, p99', value: single.p99, unit: 'ms' })
    const small = await measureCreates(store, objects, { count: Math.min(100_000, total / 2), inFlight: 256 })
    rows.push({ row: 'creates, 256 in flight, at 10k', value: small.rate, unit: '/s', target: '>= 40000' })
    rows.push({ row: 'creates, 256 in flight, at 10k, p99', value: small.p99, unit: 'ms', target: '< 40' })
    const loading = await measureCreates(store, objects, { count: total - objects.made, inFlight: 256 })
    rows.push({ row: `creates, 256 in flight, up to ${total}`, value: loading.rate, unit: '/s', target: '>= 40000' })
    rows.push({ row: 'the same, p50', value: loading.p50, unit: 'ms' })
    rows.push({ row: 'the same, p99', value: loading.p99, unit: 'ms', target: '< 40' })
    rows.push({ row: 'the same, slowest', value: loading.slowest, unit: 'ms' })
    const { details } = await store.statistics()
    await store.close()

    const cold = await measureColdStart(file)
    rows.push({ row: `ready from a cold start at ${total}`, value: cold.milliseconds / 1000, unit: 's', target: '< 2' })
    rows.push({ row: `RSS when ready at ${total}`, value: cold.rss / 1e6, unit: 'MB', target: '< 400' })
    rows.push({ row: `disk at ${total}`, value: cold.disk / 1e9, unit: 'GB', target: '< 2.7' })

    store = await openSqliteStore(options)
    const scan = await measureScan(store)
    rows.push({ row: 'scan in key order, joined pages', value: scan.rate, unit: 'MB/s', target: '>= 500' })
    rows.push({ row: 'scan in key order, CPU only', value: scan.cpuRate, unit: 'MB/s' })
    rows.push({ row: 'longest hold-up of another reader', value: scan.holdUp, unit: 'ms', target: '< 10' })
    rows.push({ row: 'hold-up of another reader, p99.9', value: scan.usualHoldUp, unit: 'ms' })
    rows.push({
      row: 'RSS after the scan, the mapped file included',
      value: process.memoryUsage.rss() / 1e6,
      unit: 'MB',
    })
    const large = await measureCreates(store, objects, { count: Math.min(100_000, total / 2), inFlight: 256 })
    const most = Math.max(details.mostWalBytes!, (await store.statistics()).details.mostWalBytes!)
    rows.push({ row: `creates, 256 in flight, at ${total}`, value: large.rate, unit: '/s', target: '>= 40000' })
    rows.push({
      row: `creates at ${total} against at 10k`,
      value: (100 * large.rate) / small.rate,
      unit: '%',
      target: '>= 80',
    })
    rows.push({
      row: 'the longest write-ahead log',
      value: Math.max(most, loading.walBytes, large.walBytes) / 1e6,
      unit: 'MB',
      target: '< 512',
    })
    await store.close()
  } finally {
    rmSync(directory, { recursive: true })
  }
}
