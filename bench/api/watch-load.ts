import { setTimeout as sleep } from 'node:timers/promises'
import { bucketName, collection } from './bucket.ts'
import { LoadClient } from './load-client.ts'
import { processorSeconds } from './measure.ts'
import type { Rows } from './rows.ts'
import type { Subject } from './subject.ts'

export interface WatchLoad {
  readonly objects: number
  readonly streams: number
  readonly events: number
}

/**
 * Many watches on one resource that all receive every write: first at maximum throughput, then at half of it to measure
 * latency. Every stream must receive every revision in order; this is verified, not only counted.
 */
export async function measureWatch(subject: Subject, client: LoadClient, load: WatchLoad, rows: Rows): Promise<void> {
  const watchers = await LoadClient.connect(subject.url, subject.token, 10)
  const run = new WatchRun(load, client)
  const after = await revisionNow(client)
  for (let at = 0; at < load.streams; at++)
    watchers.watch(`${collection}?watch=1&resourceVersion=${after}`, run.stream(at))
  await sleep(1500)
  const before = processorSeconds(subject.pids)
  const fast = await run.write(load.events, 16, 0)
  const microseconds = ((processorSeconds(subject.pids) - before) / fast.delivered) * 1e6
  const rate = fast.delivered / fast.seconds
  rows.add(
    'watch deliveries',
    rate,
    '/s',
    '>= 170000',
    `${describe(load, fast)}, server ${microseconds.toFixed(1)} us each`,
  )
  const interval = (1000 * load.streams) / (rate / 2)
  const paced = await run.write(Math.ceil(load.events / 2), 4, interval)
  const note = `write sent to event read, ${(paced.delivered / paced.seconds).toFixed(0)} deliveries/s, ${describe(load, paced)}`
  rows.add('watch p99', percentile(paced.latencies, 0.99), 'ms', '< 50', note)
  rows.add('watch p50', percentile(paced.latencies, 0.5), 'ms', '', '')
  watchers.close()
}

/** Result of a series of writes. */
export interface WatchOutcome {
  readonly seconds: number
  readonly delivered: number
  readonly missing: number
  readonly disorder: number
  readonly latencies: readonly number[]
}

/** A set of watches and the writes for them: records what was sent, and when it arrived. */
export class WatchRun {
  readonly #load: WatchLoad
  readonly #client: LoadClient
  readonly #sent = new Map<string, number>()
  #latencies: number[] = []
  #delivered = 0
  #disorder = 0
  #next = 0

  constructor(load: WatchLoad, client: LoadClient) {
    this.#load = load
    this.#client = client
  }

  /** Returns the line handler of one watch. */
  stream(at: number): (line: Buffer) => void {
    let last = 0
    return (line) => {
      const revision = revisionIn(line)
      if (revision <= last) this.#disorder++
      last = revision
      this.#delivered++
      if (at % 50 === 0) this.#noteLatency(line)
    }
  }

  /**
   * Writes events with the given concurrency and minimum interval in milliseconds, and waits for their arrival on all
   * streams.
   */
  async write(events: number, concurrency: number, interval: number): Promise<WatchOutcome> {
    this.#latencies = []
    this.#delivered = 0
    this.#disorder = 0
    const expected = events * this.#load.streams
    const started = performance.now()
    let next = 0
    const writer = async () => {
      for (let index = next++; index < events; index = next++) {
        const early = started + index * interval - performance.now()
        if (early > 0) await sleep(early)
        await this.#touch()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, writer))
    const deadline = performance.now() + 60_000
    while (this.#delivered < expected && performance.now() < deadline) await sleep(2)
    const seconds = (performance.now() - started) / 1000
    const latencies = this.#latencies.sort((a, b) => a - b)
    const [delivered, disorder] = [this.#delivered, this.#disorder]
    return { seconds, delivered, missing: expected - delivered, disorder, latencies }
  }

  async #touch(): Promise<void> {
    const at = this.#next++
    const mark = `m${at}`
    const patch = Buffer.from(JSON.stringify({ metadata: { annotations: { mark } } }))
    const path = `${collection}/${bucketName(at % this.#load.objects)}`
    this.#sent.set(mark, performance.now())
    await this.#client.request('PATCH', path, patch, 'application/merge-patch+json')
  }

  #noteLatency(line: Buffer): void {
    const from = line.indexOf('"mark":"') + 8
    const begun = this.#sent.get(line.toString('latin1', from, line.indexOf('"', from)))
    if (begun !== undefined) this.#latencies.push(performance.now() - begun)
  }
}

/** Returns the current revision, from which a watch can start. */
export async function revisionNow(client: LoadClient): Promise<string> {
  const { body } = await client.request('GET', `${collection}?limit=1`)
  const list = JSON.parse(Buffer.concat(body).toString()) as { metadata: { resourceVersion: string } }
  return list.metadata.resourceVersion
}

function revisionIn(line: Buffer): number {
  const from = line.indexOf(revisionMark) + revisionMark.length
  let revision = 0
  for (let at = from; line[at] !== quote; at++) revision = revision * 10 + line[at]! - zero
  return revision
}

const revisionMark = '"resourceVersion":"'
const quote = 0x22
const zero = 0x30

function describe({ streams }: WatchLoad, { delivered, missing, disorder }: WatchOutcome): string {
  return `${streams} streams, ${delivered} seen, ${missing} missing, ${disorder} out of order`
}

/** Returns the value at a quantile of a sorted list. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}
