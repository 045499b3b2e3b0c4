import { setTimeout as sleep } from 'node:timers/promises'
import { bucketBody, bucketDefinition, bucketName, collection } from './bucket.ts'
import { LoadClient } from './load-client.ts'
import { measureRun, processorSeconds, type RunResult, residentMegabytes } from './measure.ts'
import { Rows } from './rows.ts'
import type { Subject } from './subject.ts'
import { measureWatch, type WatchLoad } from './watch-load.ts'

export interface ApiLoad extends WatchLoad {
  readonly requests: number
}

const clients = 64

/**
 * Runs the whole load on one server: HTTPS over HTTP/2, custom resources of 2 KB with a schema, 64 concurrent requests.
 */
export async function measureApi(subject: Subject, load: ApiLoad): Promise<Rows> {
  const rows = new Rows(subject.name)
  rows.add('start to ready', subject.started, 'ms', '< 500', '')
  const client = await LoadClient.connect(subject.url, subject.token, 4)
  try {
    await define(client)
    await measureRequests(subject, client, load, rows)
    await measureWatch(subject, client, load, rows)
    rows.add('memory at the end', residentMegabytes(subject.pids), 'MB', '', '')
  } finally {
    client.close()
  }
  return rows
}

/** Creates the measured kind and waits until it is served. */
export async function define(client: LoadClient): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await client.request('POST', path, Buffer.from(JSON.stringify(bucketDefinition)))
  while ((await client.request('GET', `${collection}?limit=1`)).status !== 200) await sleep(10)
}

async function measureRequests(subject: Subject, client: LoadClient, load: ApiLoad, rows: Rows): Promise<void> {
  const { objects, requests } = load
  const run = (count: number, send: (index: number) => ReturnType<LoadClient['request']>, status: number) =>
    measureRun(subject.pids, count, clients, async (index) => (await send(index)).status === status)
  const get = (index: number) => client.request('GET', `${collection}/${bucketName(index)}`)
  const create = await run(objects, (index) => client.request('POST', collection, bucketBody(index)), 201)
  addRun(rows, 'create', create, '>= 5500')
  rows.add('memory after creates', residentMegabytes(subject.pids), 'MB', '<= 350', `${objects} objects`)
  addRun(rows, 'get, spread', await run(requests, () => get(anyOf(objects)), 200), '>= 15000')
  addRun(rows, 'get, 1000 hot', await run(requests, () => get(anyOf(Math.min(1000, objects))), 200), '>= 22000')
  await measureList(subject, client, objects, rows)
  const body = Buffer.from(JSON.stringify({ metadata: { annotations: { touched: 'yes' } }, spec: { size: 7 } }))
  const patch = (index: number) =>
    client.request('PATCH', `${collection}/${bucketName(index)}`, body, 'application/merge-patch+json')
  addRun(rows, 'merge patch', await run(Math.min(requests, objects), patch, 200), '>= 4000')
}

async function measureList(subject: Subject, client: LoadClient, objects: number, rows: Rows): Promise<void> {
  const memory = residentMegabytes(subject.pids)
  const processor = processorSeconds(subject.pids)
  const started = performance.now()
  const { bytes } = await client.request('GET', collection)
  const seconds = (performance.now() - started) / 1000
  const megabytes = bytes / 1e6
  const used = processorSeconds(subject.pids) - processor
  const note = `${megabytes.toFixed(0)} MB, ${(megabytes / seconds).toFixed(0)} MB/s, server ${used.toFixed(2)} s`
  rows.add(`list of ${objects}`, seconds, 's', '<= 1.2 for 100000', note)
  rows.add('memory added by the list', residentMegabytes(subject.pids) - memory, 'MB', '< 60', '')
}

function anyOf(count: number): number {
  return Math.floor(Math.random() * count)
}

function addRun(rows: Rows, row: string, result: RunResult, target: string): void {
  const { rate, p50, p99, serverMicroseconds, failures } = result
  const failed = failures > 0 ? `, ${failures} FAILED` : ''
  const note = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, server ${serverMicroseconds.toFixed(0)} us each${failed}`
  rows.add(row, rate, '/s', target, note)
  rows.add(`${row}, processor`, serverMicroseconds, 'us', '', '')
}
