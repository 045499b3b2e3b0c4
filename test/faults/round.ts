import { setTimeout as wait } from 'node:timers/promises'
import type { Backend, Fault } from './backend.ts'
import { startAgain } from './backend.ts'
import { runClient } from './client.ts'
import { RecordedFollower } from './follower.ts'
import { checkHistory } from './history/check.ts'
import type { History, Snapshot, Violation } from './history/history.ts'
import { Recorder } from './history/recorder.ts'
import { randomNumbers } from './history/simulated-store.ts'
import { faultSpaces } from './store-protocol.ts'

export interface RoundOptions {
  readonly backend: Backend
  readonly seconds: number
  readonly seed: number
  /** Default 16. */
  readonly clients?: number
  /** Called with progress messages. Default: none. */
  readonly tell?: (message: string) => void
}

export interface RoundResult {
  readonly violations: readonly Violation[]
  readonly history: History
  /** Number of injections per fault. */
  readonly faults: Readonly<Record<string, number>>
  readonly calls: number
  readonly committed: number
  readonly unknown: number
  readonly failed: number
}

/**
 * One round: clients and followers use the stores while random faults are injected; then all faults are undone, a final
 * reader reads everything, and the history is checked. The stores must be empty, because the history starts with
 * nothing.
 */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { backend, seed, clients = 16 } = options
  const random = randomNumbers(seed)
  const recorder = new Recorder()
  const surprises: string[] = []
  const [writing, following] = [new AbortController(), new AbortController()]
  const followers = ['witness', 'follower 1', 'follower 2'].map(
    (name, turn) => new RecordedFollower(name, backend.stores, turn),
  )
  const reading = Promise.all(followers.map((follower) => follower.run(following.signal)))
  const working = Promise.all(
    Array.from({ length: clients }, (_, number) =>
      runClient({
        number,
        stores: backend.stores,
        recorder,
        random: randomNumbers(seed * 1_000 + number),
        keys: 25,
        signal: writing.signal,
        surprised: (message) => surprises.push(message),
      }),
    ),
  )
  const faults = await illTreat(options, random, followers)
  writing.abort()
  await working
  const final = await lastLook(backend)
  await Promise.all(followers.map((follower) => follower.reaches(final.revision)))
  following.abort()
  await reading
  const history = recorder.history({
    log: followers[0]!.record().changes,
    followers: followers.map((follower) => follower.record()),
    final,
    spacesWithoutHistory: ['b', 'key-ring'],
  })
  const unexpected = surprises.map(
    (message): Violation => ({ kind: 'lost', message: `unexpected failure: ${message}` }),
  )
  return { violations: [...checkHistory(history), ...unexpected], history, faults, ...countCalls(history) }
}

async function illTreat(
  { backend, seconds, tell = () => {} }: RoundOptions,
  random: () => number,
  followers: readonly RecordedFollower[],
): Promise<Record<string, number>> {
  const struck: Record<string, number> = {}
  const end = performance.now() + seconds * 1_000
  let left: Fault[] = []
  while (performance.now() < end) {
    await wait(20 + random() * 800)
    // Every fault is injected once before any is repeated.
    if (left.length === 0) left = [...backend.faults]
    const [fault] = left.splice(Math.floor(random() * left.length), 1)
    if (fault === undefined) continue
    tell(fault.name)
    await fault.strike()
    struck[fault.name] = (struck[fault.name] ?? 0) + 1
    await wait(random() < 0.3 ? 0 : random() * 700)
    await fault.heal()
    for (const store of backend.stores) await startAgain(store)
    if (random() < 0.2) await compactBehind(backend, followers)
  }
  return struck
}

// Compaction runs all the time, but never beyond a follower: the storage suite tests followers that fall behind.
async function compactBehind(backend: Backend, followers: readonly RecordedFollower[]): Promise<void> {
  const revision = Math.min(...followers.map((follower) => follower.reached))
  await backend.stores[0]!.call({ kind: 'compact', revision }).catch(() => {})
}

async function lastLook(backend: Backend): Promise<Snapshot> {
  for (const store of backend.stores) await startAgain(store)
  const store = backend.stores[0]!
  const entries: Snapshot['entries'][number][] = []
  let revision = 0
  for (const { name } of faultSpaces) {
    const answer = await persist(() => store.call({ kind: 'scan', space: name }))
    if (answer.kind !== 'snapshot') throw new Error(`a scan was answered with ${answer.kind}`)
    entries.push(...answer.snapshot.entries)
    revision = answer.snapshot.revision
  }
  return { revision, entries }
}

async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 20) throw error
      await wait(250)
    }
  }
}

function countCalls({ calls }: History): Pick<RoundResult, 'calls' | 'committed' | 'unknown' | 'failed'> {
  const outcomes = calls.flatMap((call) => (call.kind === 'commit' ? [call.outcome.kind] : []))
  const count = (kind: string) => outcomes.filter((outcome) => outcome === kind).length
  return { calls: calls.length, committed: count('committed'), unknown: count('unknown'), failed: count('failed') }
}
