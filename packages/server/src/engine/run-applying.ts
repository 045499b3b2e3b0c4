import { timeToText } from '@hykube/machinery/object'
import {
  type ApplyPorts,
  applyDestroy,
  applyMake,
  type ChangeInHand,
  execute,
  OperationGraph,
  type StepOutcome,
} from '../apply/index.ts'
import type { ChangeRecord } from '../plan/index.ts'
import { ApplyTally } from './apply-tally.ts'
import { mostInBatch } from './batch-size.ts'
import { type ChangeHeader, ChangeHeaders, sortOf } from './change-header.ts'
import { ChangesAhead } from './changes-ahead.ts'
import { changesTogether } from './changes-together.ts'
import type { EngineParts } from './engine-parts.ts'
import { EstatePorts } from './estate-ports.ts'
import { recordEvent } from './events.ts'
import { LaterUsers } from './later-users.ts'
import type { PlanInHand } from './ledger.ts'
import { ledgerOf } from './ledger-of.ts'
import { ManagedIds } from './managed-ids.ts'
import { planSpecOf } from './plan-spec.ts'
import { changePlanStatus, type PlanObject, type PlanStatus, planStatusOf } from './plan-status.ts'
import { planWave } from './plan-wave.ts'
import { recoverPlan } from './recover-plan.ts'
import { recoverIntent } from './recovery.ts'
import { settleNodes } from './settle-nodes.ts'
import { tellConditions } from './tell-conditions.ts'
import { mostTold, tellResults } from './tell-results.ts'

/** Carries out an approved plan, or what is left of it. Gives how it stands then. */
export async function runApplying(
  parts: EngineParts,
  { place, object }: PlanObject,
  signal: AbortSignal,
): Promise<PlanStatus | undefined> {
  const { objects, clock } = parts
  const uid = object.metadata?.uid ?? ''
  const plan: PlanInHand = { uid, ...place }
  await changePlanStatus(objects, place, uid, (status) => ({
    ...status,
    phase: 'Applying',
    startedAt: status.startedAt ?? timeToText(clock.now()),
  }))
  await recoverPlan(parts, plan)
  const spec = planSpecOf(object)
  for (let wave = 1; ; wave++) {
    const applying = await Applying.load(parts, plan, planStatusOf(object))
    const reporting = applying.reportEverySecond(place)
    try {
      await applying.run(spec.parallelism ?? usualParallelism, signal)
    } finally {
      await reporting.stop()
    }
    const isOver = signal.aborted || wave >= mostWaves || !applying.hasDeferred
    const next = isOver ? none : await planWave(parts, plan, object, wave, signal)
    if (next.kind === 'planned') continue
    await settleNodes(parts, plan, applying.tally, (index) => applying.changeAt(index))
    // One that was stopped goes on with the next server, and is told of then.
    if (!signal.aborted) await applying.tell()
    const blocked = await applying.blockedTexts()
    return changePlanStatus(objects, place, uid, (status) => ({
      ...applying.tally.finished(status, signal.aborted, timeToText(clock.now()), blocked),
      ...(next.kind === 'follow-up' && { followUp: next.plan }),
    }))
  }
}

const none = { kind: 'none' } as const

// Each wave makes known what the next one needs; who needs more than these goes on with another plan.
const mostWaves = 20

/** One plan while it is being carried out. What stays in memory of a change is what its order needs. */
class Applying {
  readonly tally: ApplyTally
  readonly #parts: EngineParts
  readonly #plan: PlanInHand
  readonly #ports: ApplyPorts
  readonly #changes: readonly ChangeHeader[]
  readonly #graph: OperationGraph
  readonly #ahead: ChangesAhead
  #failures = 0

  private constructor(parts: EngineParts, plan: PlanInHand, changes: readonly ChangeHeader[], through: number) {
    const { clock, estate, kinds } = parts
    this.#parts = parts
    this.#plan = plan
    this.#changes = changes
    this.#graph = new OperationGraph(changes)
    this.#ahead = new ChangesAhead(parts.estate, plan, changes)
    this.tally = new ApplyTally(changes, () => timeToText(clock.now()))
    const laterUsers = new LaterUsers(estate, kinds, plan, through)
    this.#ports = new EstatePorts(parts, ledgerOf(parts, plan), laterUsers)
  }

  static async load(parts: EngineParts, plan: PlanInHand, { planned }: PlanStatus): Promise<Applying> {
    const changes: ChangeHeader[] = []
    const headers = new ChangeHeaders()
    for await (const change of parts.estate.sortedChanges(plan.cluster, plan.uid, sortOf))
      changes.push(headers.of(change))
    return new Applying(parts, plan, changes, planned?.through ?? Number.POSITIVE_INFINITY)
  }

  /** Whether something of the plan was put off. */
  get hasDeferred(): boolean {
    return this.#changes.some(({ action }) => action === 'deferred')
  }

  /** As many at a time as the plan says, and more where many go in one call, unless it wants fewer than usual. */
  run(parallelism: number, signal: AbortSignal): Promise<void> {
    const isOpen = parallelism >= usualParallelism && this.#changes.length > parallelism
    const isTogether = isOpen ? changesTogether(this.#ports, this.#changes) : undefined
    const step = async (node: number) => {
      const at = this.#graph.stepAt(node)
      if (at === undefined) return 'done'
      const outcome = await this.#step(at.change, at.step)
      return outcome.kind === 'applied' ? 'done' : 'not-done'
    }
    const skip = (node: number) => this.#skip(node)
    const poolOf = (node: number) => this.#poolOf(node)
    const weightOf = (node: number) => (isTogether?.(this.#graph.stepAt(node)?.change) ? weightTogether : 1)
    return execute(this.#graph.graph, step, skip, {
      parallelism,
      signal,
      poolOf,
      perPool: callsAtOnce,
      ...(isTogether !== undefined && { weightOf }),
    })
  }

  /** Tells the objects what was done to them. */
  tell(): Promise<void> {
    return tellResults(this.#parts, this.#plan, this.tally, (index) => this.changeAt(index))
  }

  /** Says of the first blocked changes what blocks them. */
  async blockedTexts(): Promise<string[]> {
    const records = await Promise.all(this.tally.blocked.map((index) => this.changeAt(index)))
    return records.flatMap((record) =>
      record === undefined ? [] : [`${record.address} is blocked: ${record.message}`],
    )
  }

  /** A change by its number; undefined when there is none. */
  async changeAt(index: number): Promise<ChangeRecord | undefined> {
    const header = this.#changes[index]
    return header === undefined ? undefined : (await this.#ahead.one(header))?.record
  }

  // What is limited by itself: each configuration of a provider, which is one process and often one account.
  #poolOf(node: number): string | undefined {
    const at = this.#graph.stepAt(node)
    return at === undefined ? undefined : this.#changes[at.change]!.pool
  }

  reportEverySecond(place: PlanObject['place']): { stop(): Promise<void> } {
    const { objects, clock } = this.#parts
    const stopping = new AbortController()
    const report = async () => {
      for (;;) {
        await clock.sleep(1000, stopping.signal)
        await changePlanStatus(objects, place, this.#plan.uid, (status) => ({
          ...status,
          progress: this.tally.progress,
        }))
      }
    }
    const reporting = report().catch(() => {})
    return {
      stop: async () => {
        stopping.abort()
        await reporting
      },
    }
  }

  async #step(index: number, step: 'make' | 'destroy'): Promise<StepOutcome> {
    const header = this.#changes[index]!
    if (!(step === 'make' ? header.makes : header.destroys)) return { kind: 'applied' }
    const change = await this.#ahead.read(index)
    if (change === undefined) return { kind: 'refused', message: 'the change is gone' }
    const { outcome, half } = change.record
    if (outcome !== undefined)
      return outcome.result === 'applied' ? { kind: 'applied' } : { kind: 'failed', message: '' }
    if (half === (step === 'make' ? 'made' : 'destroyed')) return { kind: 'applied' }
    this.tally.begun(index, change.record.address)
    const result = await this.#attempt(change, step)
    this.tally.ended(index, step, result)
    if (result.kind !== 'applied') await this.#tellFailure(change, result)
    return result
  }

  async #attempt(change: ChangeInHand, step: 'make' | 'destroy'): Promise<StepOutcome> {
    try {
      const outcome = await (step === 'make' ? applyMake(this.#ports, change) : applyDestroy(this.#ports, change))
      return outcome.kind === 'unknown' ? await this.#recover(change, outcome.message, outcome.isOver) : outcome
    } catch (error) {
      if (this.#parts.isFencedOff?.(error) === true) throw error
      return this.#recover(change, this.#ports.describe(error))
    }
  }

  // What was begun stays so until it is known what came of it; what was not is a failure like any other.
  async #recover(change: ChangeInHand, why: string, isOver?: boolean): Promise<StepOutcome> {
    const open = await this.#parts.estate.intent(change.place)
    if (open?.intent.plan === this.#plan.uid) {
      const managed = new ManagedIds(this.#parts.estate)
      return recoverIntent(this.#parts, this.#ports, managed, open, { why, ...(isOver && { isOver }) })
    }
    const known = (await this.#ahead.one(change))?.record.outcome
    if (known?.result === 'applied') return { kind: 'applied' }
    await this.#ports.ledger.note(change, { result: 'failed', message: why, at: this.#ports.now() })
    return { kind: 'failed', message: why }
  }

  async #tellFailure({ place, record }: ChangeInHand, { kind, message }: Exclude<StepOutcome, { kind: 'applied' }>) {
    const { objects, clock } = this.#parts
    const { node, instance, part } = place
    const uid = record.work?.uid ?? ''
    const subject = { ...node, uid, apiVersion: `${node.group}/v1`, kind: record.kind }
    // Where nothing was begun, nobody has told the object; of many instances it is told once, in the end.
    if (kind === 'failed' && instance === undefined && part === '')
      await tellConditions(this.#parts, node, uid, [
        { type: 'Applied', status: 'False', reason: 'ApplyFailed', message },
      ])
    // The same failure of a million is told by the plan.
    if (++this.#failures > mostTold) return
    await recordEvent(objects, clock, subject, {
      type: 'Warning',
      reason: failureReasons[kind],
      message: `${record.address}: ${message} (plan ${this.#plan.name})`,
    })
  }

  async #skip(node: number): Promise<void> {
    const at = this.#graph.stepAt(node)
    const header = at === undefined ? undefined : this.#changes[at.change]
    if (header === undefined || at === undefined) return
    if (!(at.step === 'make' ? header.makes : header.destroys)) return
    const change = await this.#ahead.one(header)
    if (change === undefined || change.record.outcome !== undefined) return
    const message = 'something that it waits for was not done'
    await this.#ports.ledger.note(change, { result: 'skipped', message, at: this.#ports.now() })
    this.tally.skipped(at.change)
  }
}

// The most calls that one configuration of a provider gets at a time.
const callsAtOnce = 100

const usualParallelism = 50

// Of those that go together, four times as many: as usual, as many as one call takes.
const weightTogether = usualParallelism / mostInBatch

const failureReasons = { failed: 'ApplyFailed', refused: 'ChangeRefused', unknown: 'OutcomeUnknown' } as const
