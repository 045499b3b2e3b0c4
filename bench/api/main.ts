import { parseArgs } from 'node:util'
import { startServer } from '../../test/e2e/server.ts'
import { bucketBody, bucketDefinition, bucketName, collection } from './bucket.ts'
import { LoadClient } from './load-client.ts'
import { measureRun, processorSeconds, type RunResult, residentMegabytes } from './measure.ts'

/**
 * `npm run bench -- api [--objects N] [--seconds N]`: HTTPS over HTTP/2, custom resources of 2 KB with a schema, 64 clients, the
 * server on SQLite in a process of its own beside the load on the same machine.
 */
const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '40000' },
    streams: { type: 'string', default: '1000' },
    events: { type: 'string', default: '600' },
  },
})
const objects = Number(values.objects)
const requests = Number(values.requests)
const streams = Number(values.streams)
const clients = 64

const rows: Row[] = []

interface Row {
  readonly row: string
  readonly value: number
  readonly unit: string
  readonly target: string
  readonly note: string
}

const begun = performance.now()
const server = await startServer({ arguments: [] })
add('start to ready', performance.now() - begun, 'ms', '< 500', '')
const pid = server.process.pid!
const client = await LoadClient.connect(server.url, server.adminToken, 4)
try {
  await measure()
} finally {
  client.close()
  await server.remove()
}
print()

async function measure(): Promise<void> {
  await define()
  const create = await measureRun(pid, objects, clients, (index) =>
    ok(client.request('POST', collection, bucketBody(index)), 201),
  )
  addRun('create', create, '>= 5500')
  add('memory after creates', residentMegabytes(pid), 'MB', '<= 350', `${objects} objects`)
  const any = () => Math.floor(Math.random() * objects)
  addRun(
    'get, spread',
    await measureRun(pid, requests, clients, () =>
      ok(client.request('GET', `${collection}/${bucketName(any())}`), 200),
    ),
    '>= 15000',
  )
  const hot = () => Math.floor(Math.random() * Math.min(1000, objects))
  addRun(
    'get, 1000 hot',
    await measureRun(pid, requests, clients, () =>
      ok(client.request('GET', `${collection}/${bucketName(hot())}`), 200),
    ),
    '>= 22000',
  )
  await measureList()
  const patch = Buffer.from(JSON.stringify({ metadata: { annotations: { touched: 'yes' } }, spec: { size: 7 } }))
  const patched = await measureRun(pid, Math.min(requests, objects), clients, (index) =>
    ok(client.request('PATCH', `${collection}/${bucketName(index)}`, patch, 'application/merge-patch+json'), 200),
  )
  addRun('merge patch', patched, '>= 4000')
  await measureWatch()
  add('memory at the end', residentMegabytes(pid), 'MB', '', '')
}

async function define(): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await ok(client.request('POST', path, Buffer.from(JSON.stringify(bucketDefinition))), 201)
  while (!(await ok(client.request('GET', `${collection}?limit=1`), 200)))
    await new Promise((resolve) => setTimeout(resolve, 10))
}

async function measureList(): Promise<void> {
  const memory = residentMegabytes(pid)
  const processor = processorSeconds(pid)
  const started = performance.now()
  const { bytes } = await client.request('GET', collection)
  const seconds = (performance.now() - started) / 1000
  const megabytes = bytes / 1e6
  add(
    `list of ${objects}`,
    seconds,
    's',
    '<= 1.2 for 100000',
    `${megabytes.toFixed(0)} MB, ${(megabytes / seconds).toFixed(0)} MB/s, server ${(processorSeconds(pid) - processor).toFixed(2)} s`,
  )
  add('memory added by the list', residentMegabytes(pid) - memory, 'MB', '< 60', '')
}

// Every stream must see every revision, in order: what is delivered is checked, not only counted.
async function measureWatch(): Promise<void> {
  const events = Number(values.events)
  const sent = new Map<string, number>()
  const latencies: number[] = []
  let delivered = 0
  let disorder = 0
  const expected = events * streams
  const finished = Promise.withResolvers<void>()
  const watchers = await LoadClient.connect(server.url, server.adminToken, 10)
  const list = JSON.parse(Buffer.concat((await client.request('GET', `${collection}?limit=1`)).body).toString()) as {
    metadata: { resourceVersion: string }
  }
  for (let at = 0; at < streams; at++) {
    let last = 0
    watchers.watch(`${collection}?watch=1&resourceVersion=${list.metadata.resourceVersion}`, (line) => {
      const revision = revisionIn(line)
      if (revision <= last) disorder++
      last = revision
      if (at % 50 === 0) noteLatency(line, sent, latencies)
      if (++delivered === expected) finished.resolve()
    })
  }
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const processor = processorSeconds(pid)
  const started = performance.now()
  const writes = measureRun(pid, events, 16, async (index) => {
    const mark = `m${index}`
    sent.set(mark, performance.now())
    const patch = Buffer.from(JSON.stringify({ metadata: { annotations: { mark } } }))
    return ok(
      client.request('PATCH', `${collection}/${bucketName(index % objects)}`, patch, 'application/merge-patch+json'),
      200,
    )
  })
  await writes
  await Promise.race([finished.promise, new Promise((resolve) => setTimeout(resolve, 60_000))])
  const seconds = (performance.now() - started) / 1000
  latencies.sort((a, b) => a - b)
  const note = `${streams} streams x ${events} events, ${expected - delivered} missing, ${disorder} out of order, server ${(((processorSeconds(pid) - processor) / delivered) * 1e6).toFixed(1)} us each`
  add('watch deliveries', delivered / seconds, '/s', '>= 170000', note)
  add(
    'watch p99',
    latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    'ms',
    '< 50',
    'write sent to event read',
  )
  watchers.close()
}

function revisionIn(line: Buffer): number {
  const mark = '"resourceVersion":"'
  const from = line.indexOf(mark) + mark.length
  return Number(line.toString('latin1', from, line.indexOf('"', from)))
}

function noteLatency(line: Buffer, sent: ReadonlyMap<string, number>, latencies: number[]): void {
  const from = line.indexOf('"mark":"') + 8
  const begun = sent.get(line.toString('latin1', from, line.indexOf('"', from)))
  if (begun !== undefined) latencies.push(performance.now() - begun)
}

async function ok(answer: Promise<{ readonly status: number }>, status: number): Promise<boolean> {
  return (await answer).status === status
}

function addRun(row: string, { rate, p50, p99, serverMicroseconds, failures }: RunResult, target: string): void {
  const note = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, server ${serverMicroseconds.toFixed(0)} us each${failures > 0 ? `, ${failures} FAILED` : ''}`
  add(row, rate, '/s', target, note)
}

function add(row: string, value: number, unit: string, target: string, note: string): void {
  rows.push({ row, value, unit, target, note })
  process.stderr.write(`${row}: ${value.toFixed(1)} ${unit} ${note}\n`)
}

function print(): void {
  console.log(`\n${'row'.padEnd(28)}${'value'.padStart(12)} ${'unit'.padEnd(6)}${'target'.padEnd(20)}note`)
  for (const { row, value, unit, target, note } of rows)
    console.log(`${row.padEnd(28)}${value.toFixed(1).padStart(12)} ${unit.padEnd(6)}${target.padEnd(20)}${note}`)
  for (const each of rows) console.log(JSON.stringify({ bench: 'api', ...each }))
}
