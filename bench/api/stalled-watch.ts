import { setTimeout as sleep } from 'node:timers/promises'
import { define } from './api-load.ts'
import { bucketBody, collection } from './bucket.ts'
import { LoadClient, type StalledWatch } from './load-client.ts'
import { measureRun, residentMegabytes } from './measure.ts'
import { Rows } from './rows.ts'
import type { Subject } from './subject.ts'
import { percentile, revisionNow, type WatchLoad, WatchRun } from './watch-load.ts'

/** The server's timeout for a client that does not read, plus a margin, in milliseconds. */
const patience = 32_000

/**
 * Measures the effect of one watch that stops reading on many others that read: their latency, the cost for the server,
 * and how the stalled watch ends. Rounds with and without it alternate, because the machine's load changes over time.
 */
export async function measureStalled(subject: Subject, load: WatchLoad): Promise<Rows> {
  const rows = new Rows(subject.name)
  const client = await LoadClient.connect(subject.url, subject.token, 2)
  const watchers = await LoadClient.connect(subject.url, subject.token, 10, window)
  await define(client)
  const objects = 1000
  await measureRun(subject.pids, objects, 64, async (index) => {
    return (await client.request('POST', collection, bucketBody(index))).status === 201
  })
  const run = new WatchRun({ ...load, objects }, client)
  const path = `${collection}?watch=1&resourceVersion=${await revisionNow(client)}`
  for (let at = 0; at < load.streams; at++) watchers.watch(path, run.stream(at))
  await sleep(1500)
  const round = async () => (await run.write(load.events, 4, interval)).latencies
  await round()
  const without: number[] = []
  const beside: number[] = []
  let memory = 0
  let stalled: StalledWatch | undefined
  for (let times = 0; times < 3; times++) {
    stalled?.cancel()
    const first = residentMegabytes(subject.pids)
    without.push(...(await round()))
    const second = residentMegabytes(subject.pids)
    stalled = watchers.stall(`${collection}?watch=1&resourceVersion=${await revisionNow(client)}`)
    beside.push(...(await round()))
    memory += residentMegabytes(subject.pids) - second - (second - first)
  }
  const [p99Without, p99Beside] = [p99(without), p99(beside)]
  rows.add('watch p99, all read', p99Without, 'ms', '', `${load.streams} streams`)
  rows.add('watch p99, one stalled', p99Beside, 'ms', '', '')
  rows.add('raised by', (p99Beside / p99Without - 1) * 100, '%', '< 20', '')
  rows.add('memory added', memory / 3, 'MB', '< 10', 'more than a round without it adds, mean of three')
  await sleep(patience)
  const last = JSON.parse(await stalled!.read()) as {
    readonly type: string
    readonly object: { readonly code: number }
  }
  rows.add('cut off with', last.object.code, '', '410', last.type)
  for (const each of [client, watchers]) each.close()
  return rows
}

const interval = 10
// Small, so that an unread watch stalls quickly.
const window = 65_535

function p99(latencies: number[]): number {
  return percentile(
    latencies.sort((a, b) => a - b),
    0.99,
  )
}
