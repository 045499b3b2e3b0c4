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
  /** Number of objects that a list returns. */
  readonly objects: number
  /** Concurrent requests of the flooding user. */
  readonly inFlight: number
  /** Sequential reads of the measured user, once alone and once during the flood. */
  readonly reads: number
  /**
   * When true, clients and server do not compete for processors, as if on separate machines: the flood has a lower
   * priority than both, and the measuring process has a higher one than the server. On a busy machine such a flood
   * would hardly run.
   */
  readonly apart: boolean
}

export interface FairnessResult {
  readonly alone: RunResult
  readonly beside: RunResult
  readonly flood: FloodResult
  /** Scheduling priority of the reads, for the report. */
  readonly priority: string
}

/** Measures the latency of one user's reads alone, and while another user keeps hundreds of requests in flight. */
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
  const priority = load.apart ? await takePriority() : 'as any process'
  await measureRun(pids, load.reads, 1, read)
  const alone = await measureRun(pids, load.reads, 1, read)
  const flood = startFlood({ url, token: greedy, inFlight: load.inFlight, objects: load.objects }, load.apart)
  await once(flood, 'message')
  await sleep(500)
  const beside = await measureRun(pids, load.reads, 1, read)
  flood.send('stop')
  const [result] = (await once(flood, 'message')) as [FloodResult]
  client.close()
  return { alone, beside, flood: result, priority }
}

/** Runs the comparison as a section of the benchmark. */
export async function measureFairness(subject: Subject): Promise<Rows> {
  const client = await LoadClient.connect(subject.url, subject.token, 1)
  await define(client)
  client.close()
  const rows = new Rows(subject.name)
  const { alone, beside, flood, priority } = await compareFairness(subject, {
    objects: 3000,
    inFlight: 500,
    reads: 20_000,
    apart: true,
  })
  const said = Object.entries(flood.answers).map(([what, count]) => `${what}: ${count}`)
  const failed = alone.failures + beside.failures
  rows.add('fairness, p99 alone', alone.p99, 'ms', '', `p50 ${alone.p50.toFixed(2)} ms, reads ${priority}`)
  rows.add('fairness, p99 beside', beside.p99, 'ms', '', `p50 ${beside.p50.toFixed(2)} ms, ${failed} FAILED`)
  rows.add('fairness, times p99', beside.p99 / alone.p99, 'x', '<= 3', `the flood got ${said.sort().join(', ')}`)
  return rows
}

function startFlood(order: FloodOrder, apart: boolean): ChildProcess {
  const program = [process.execPath, join(import.meta.dirname, 'flood.ts'), JSON.stringify(order)]
  const [name, ...args] = apart ? ['chrt', '--idle', '0', ...program] : program
  return spawn(name!, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

// The measuring process must read a response as soon as it arrives. Real-time priority needs a permission.
async function takePriority(): Promise<string> {
  const change = spawn('chrt', ['--rr', '--all-tasks', '--pid', '1', `${process.pid}`], { stdio: 'ignore' })
  const [code] = (await once(change, 'exit')) as [number | null]
  return code === 0 ? 'with real-time priority' : 'with normal priority, because chrt is not permitted'
}

function anyName(objects: number): string {
  return bucketName(Math.floor(Math.random() * objects))
}
