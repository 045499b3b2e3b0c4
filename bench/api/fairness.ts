import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { define } from './api-load.ts'
import { bucketBody, bucketName, collection } from './bucket.ts'
import type { FloodOrder, FloodResult } from './flood.ts'
import { LoadClient } from './load-client.ts'
import { measureRun, type RunResult } from './measure.ts'
import { Rows } from './rows.ts'
import type { Subject } from './subject.ts'

export interface FairnessLoad {
  /** How many objects a list gives. */
  readonly objects: number
  /** How many requests the greedy user keeps in flight. */
  readonly inFlight: number
  /** How many objects the modest user reads, one after the other, alone and beside the flood. */
  readonly reads: number
  /**
   * Whether no thread of the flood takes the processor away from the server, or from the user whose waiting is measured: as a flood
   * from other machines. Beside other work it would hardly begin.
   */
  readonly yields: boolean
}

export interface FairnessResult {
  readonly alone: RunResult
  readonly beside: RunResult
  readonly flood: FloodResult
}

/** How long a modest user's reads take alone, and while another user keeps hundreds of requests in flight. */
export async function compareFairness(subject: Subject, load: FairnessLoad): Promise<FairnessResult> {
  const { url, pids } = subject
  const [greedy, modest] = [subject.userToken('greedy'), subject.userToken('modest')]
  const client = await LoadClient.connect(url, modest, 1)
  const fill = (index: number) => client.request('POST', collection, bucketBody(index))
  await measureRun(pids, load.objects, 64, async (index) => (await fill(index)).status === 201)
  const read = async () => {
    const { status } = await client.request('GET', `${collection}/${anyName(load.objects)}`)
    return status === 200
  }
  await measureRun(pids, load.reads, 1, read)
  const alone = await measureRun(pids, load.reads, 1, read)
  const flood = startFlood({ url, token: greedy, inFlight: load.inFlight, objects: load.objects }, load.yields)
  await once(flood, 'message')
  await sleep(500)
  const beside = await measureRun(pids, load.reads, 1, read)
  flood.send('stop')
  const [result] = (await once(flood, 'message')) as [FloodResult]
  client.close()
  return { alone, beside, flood: result }
}

/** The comparison as a section of the benchmark. */
export async function measureFairness(subject: Subject): Promise<Rows> {
  const client = await LoadClient.connect(subject.url, subject.token, 1)
  await define(client)
  client.close()
  const rows = new Rows(subject.name)
  const { alone, beside, flood } = await compareFairness(subject, {
    objects: 3000,
    inFlight: 500,
    reads: 5000,
    yields: true,
  })
  const said = Object.entries(flood.answers).map(([what, count]) => `${what}: ${count}`)
  const failed = alone.failures + beside.failures
  rows.add('fairness, p99 alone', alone.p99, 'ms', '', `p50 ${alone.p50.toFixed(2)} ms`)
  rows.add('fairness, p99 beside', beside.p99, 'ms', '', `p50 ${beside.p50.toFixed(2)} ms, ${failed} FAILED`)
  rows.add('fairness, times p99', beside.p99 / alone.p99, 'x', '<= 3', `the flood got ${said.sort().join(', ')}`)
  return rows
}

function startFlood(order: FloodOrder, yields: boolean): ChildProcess {
  const program = [process.execPath, join(import.meta.dirname, 'flood.ts'), JSON.stringify(order)]
  const [name, ...args] = yields ? ['chrt', '--idle', '0', ...program] : program
  return spawn(name!, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

function anyName(objects: number): string {
  return bucketName(Math.floor(Math.random() * objects))
}
