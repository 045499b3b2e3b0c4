import { timeToText } from '@hykube/machinery/amounts'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import {
  type ApplyPorts,
  applyCreateOrUpdate,
  applyDestroy,
  execute,
  OperationGraph,
  refuse,
  type StepOutcome,
} from '../../applying/index.ts'
import type { RunningPlan } from '../../estate/index.ts'
import type { ChangeInProgress, ChangeRecord } from '../../model/index.ts'
import type { PlanRequest } from '../../planning/index.ts'
import { maxBatchSize } from '../../provider/index.ts'
import { planSpecOf } from '../api/plan-spec.ts'
import { changePlanStatus, type PlanObject, planStatusOf } from '../api/plan-status.ts'
import { authorsUse } from '../authors-use.ts'
import type { EngineParts } from '../engine-parts.ts'
import { recordEvent } from '../status/events.ts'
import { mostEvents, recordResults } from '../status/record-results.ts'
import { writeConditions } from '../status/write-conditions.ts'
import { ApplyTally } from './apply-tally.ts'
import { batchedChanges } from './batched-changes.ts'
import { type ChangeHeader, ChangeHeaders, groupOf } from './change-header.ts'
import { ChangesAhead } from './changes-ahead.ts'
import { EstatePorts } from './estate-ports.ts'
import { InstanceTurns } from './instance-turns.ts'
import { ledgerOf } from './ledger-of.ts'
import { ManagedIds } from './managed-ids.ts'
import { NewDependents } from './new-dependents.ts'
import { type Pace, paceOf } from './pace.ts'
import { PlanUses } from './plan-uses.ts'
import { planWave } from './plan-wave.ts'
import { recoverIntent } from './recover-change.ts'
import { recoverPlan } from './recover-plan.ts'
import { settleObjects } from './settle-objects.ts'
import { StaleCreations } from './stale-creations.ts'
import type { UseClaims } from './use-claims.ts'

/** Applies an approved plan, or the rest of a plan that another server began. Returns its status. */
export async function runApplying(
  parts: EngineParts,
  { place, object }: PlanObject,
  claims: UseClaims,
  signal: AbortSignal,
): Promise<PlanStatus | undefined> {
  const { objects, clock } = parts
  const uid = object.metadata?.uid ?? ''
  const plan: RunningPlan = { uid, ...place }
  await changePlanStatus(objects, place, uid, (status) => ({
    ...status,
    phase: 'Applying',
    startedAt: (status.phase === 'Applying' ? status.startedAt : undefined) ?? timeToText(clock.now()),
  }))
  await recoverPlan(parts, plan)
  const spec = planSpecOf(object)
  const pace = paceOf(object, clock)
  for (let wave = 1; ; wave++) {
    const applying = await Applying.load(parts, plan, claims, object)
    const reporting = applying.reportEverySecond(place)
    try {
      await applying.run(spec.parallelism ?? defaultParallelism, signal, pace)
    } finally {
      await reporting.stop()
    }
    const isFinished = signal.aborted || wave >= mostWaves || !applying.hasDeferred
    const next = isFinished ? none : await planWave(parts, plan, object, wave, signal)
    if (next.kind === 'planned') continue
    await settleObjects(parts, plan, applying.tally, (index) => applying.changeAt(index))
    // A plan that is only interrupted is continued by the next server, which writes the events.
    if (!signal.aborted) await applying.recordEvents()
    const blocked = await applying.blockedTexts()
    return changePlanStatus(objects, place, uid, (status) => ({
      ...applying.tally.finished(status, signal.aborted, timeToText(clock.now()), blocked),
      ...(next.kind === 'follow-up' && { followUp: next.plan }),
    }))
  }
}

const none = { kind: 'none' } as const

// A wave makes the inputs of the next one known. Changes that are still deferred after so many waves go into another plan.
const mostWaves = 20

/** The execution of one plan. Only headers of the changes are in memory. */
class Applying {
  readonly tally: ApplyTally
  readonly #parts: EngineParts
  readonly #plan: RunningPlan
  readonly #ports: ApplyPorts
  readonly #changes: readonly ChangeHeader[]
  readonly #graph: OperationGraph
  readonly #ahead: ChangesAhead
  readonly #turns: InstanceTurns
  readonly #stale: StaleCreations
  readonly #refusesUse: NonNullable<PlanRequest['refusesUse']>
  #failures = 0

  private constructor(
    parts: EngineParts,
    plan: RunningPlan,
    changes: readonly ChangeHeader[],
    uses: PlanUses,
    refusesUse: NonNullable<PlanRequest['refusesUse']>,
  ) {
    const { clock } = parts
    this.#refusesUse = refusesUse
    this.#parts = parts
    this.#plan = plan
    this.#changes = changes
    this.#graph = new OperationGraph(changes)
    this.#ahead = new ChangesAhead(parts.estate, plan, changes)
    this.#turns = new InstanceTurns(changes)
    this.tally = new ApplyTally(changes, () => clock.now())
    this.#ports = new EstatePorts(parts, ledgerOf(parts, plan), uses)
    this.#stale = new StaleCreations(this.#ports, this.#ahead, changes, clock)
  }

  static async load(
    parts: EngineParts,
    plan: RunningPlan,
    claims: UseClaims,
    object: PlanObject['object'],
  ): Promise<Applying> {
    const { planned } = planStatusOf(object)
    const changes: ChangeHeader[] = []
    const headers = new ChangeHeaders()
    for await (const change of parts.estate.groupedChanges(plan.cluster, plan.uid, groupOf))
      changes.push(headers.of(change))
    const newDependents = new NewDependents(
      parts.estate,
      parts.kinds,
      plan,
      planned?.through ?? Number.POSITIVE_INFINITY,
    )
    const uses = new PlanUses(parts.estate, plan, claims, newDependents)
    return new Applying(parts, plan, changes, uses, authorsUse(parts, plan.cluster, object))
  }

  /** True when the plan has deferred changes. */
  get hasDeferred(): boolean {
    return this.#changes.some(({ action }) => action === 'deferred')
  }

  /** Executes all steps. Batched changes weigh less, so more of them run concurrently, unless the plan asks for less than the default parallelism. */
  run(parallelism: number, signal: AbortSignal, pace: Pace | undefined): Promise<void> {
    const mayExceed = parallelism >= defaultParallelism && this.#changes.length > parallelism
    const isBatched = mayExceed ? batchedChanges(this.#ports, this.#changes) : undefined
    const step = async (graphIndex: number) => {
      const at = this.#graph.stepAt(graphIndex)
      if (at === undefined) return 'done'
      // Each change has two steps, of which most do only one: the other one takes no turn.
      if (this.#hasWork(at.change, at.step)) await pace?.turn(signal)
      if (pace !== undefined && signal.aborted) return 'not-done'
      const outcome = await this.#step(at.change, at.step)
      return outcome.kind === 'applied' ? 'done' : 'not-done'
    }
    const skip = (graphIndex: number) => this.#skip(graphIndex)
    const poolOf = (graphIndex: number) => this.#poolOf(graphIndex)
    const weightOf = (graphIndex: number) => (isBatched?.(this.#graph.stepAt(graphIndex)?.change) ? batchedWeight : 1)
    return execute(this.#graph.graph, step, skip, {
      parallelism,
      signal,
      poolOf,
      perPool: callsAtOnce,
      ...(isBatched !== undefined && { weightOf }),
    })
  }

  /** Writes an Event for each changed object. */
  recordEvents(): Promise<void> {
    return recordResults(this.#parts, this.#plan, this.tally, (index) => this.changeAt(index))
  }

  /** Returns messages for the first blocked changes. */
  async blockedTexts(): Promise<string[]> {
    const records = await Promise.all(this.tally.blocked.map((index) => this.changeAt(index)))
    return records.flatMap((record) =>
      record === undefined ? [] : [`${record.address} is blocked: ${record.message}`],
    )
  }

  /** Reads a change by its number; undefined when it doesn't exist. */
  async changeAt(index: number): Promise<ChangeRecord | undefined> {
    const header = this.#changes[index]
    return header === undefined ? undefined : (await this.#ahead.one(header))?.record
  }

  // Concurrency is limited per provider configuration, which is one process and often one account.
  #poolOf(graphIndex: number): string | undefined {
    const at = this.#graph.stepAt(graphIndex)
    return at === undefined ? undefined : this.#changes[at.change]!.pool
  }

  /** Stores the progress each second until it is stopped. */
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

  #hasWork(index: number, step: 'make' | 'destroy'): boolean {
    const { makes, destroys } = this.#changes[index]!
    return step === 'make' ? makes : destroys
  }

  async #step(index: number, step: 'make' | 'destroy'): Promise<StepOutcome> {
    if (!this.#hasWork(index, step)) return { kind: 'applied' }
    const change = await this.#ahead.read(index)
    if (change === undefined) return { kind: 'refused', message: 'the change no longer exists' }
    const { outcome, half } = change.record
    if (outcome !== undefined)
      return outcome.result === 'applied' ? { kind: 'applied' } : { kind: 'failed', message: '' }
    if (half === (step === 'make' ? 'made' : 'destroyed')) return { kind: 'applied' }
    this.tally.begun(index, step, change.record.address)
    this.#stale.begun(index)
    const result = await this.#turns.run(change.target, () => this.#attempt(index, change, step))
    this.tally.ended(index, step, result)
    if (result.kind !== 'applied') await this.#reportFailure(change, result)
    return result
  }

  async #attempt(index: number, change: ChangeInProgress, step: 'make' | 'destroy'): Promise<StepOutcome> {
    try {
      const refusal =
        (await this.#refusal(change)) ?? (step === 'destroy' ? await this.#stale.refusal(index) : undefined)
      if (refusal !== undefined) return await refuse(this.#ports, change, refusal)
      const outcome = await (step === 'make'
        ? applyCreateOrUpdate(this.#ports, change)
        : applyDestroy(this.#ports, change))
      return outcome.kind === 'unknown' ? await this.#recover(change, outcome.message, outcome.isFinished) : outcome
    } catch (error) {
      if (this.#parts.isFencedOff?.(error) === true) throw error
      return this.#recover(change, this.#ports.describe(error))
    }
  }

  // The author of the plan may have lost the use of the provider since planning.
  async #refusal({ target: { ref } }: ChangeInProgress): Promise<string | undefined> {
    const kind = this.#parts.kinds.at(ref.cluster, ref.group, ref.resource)
    return kind === undefined ? undefined : this.#refusesUse(kind)
  }

  // A call with an open intent is recovered; without one the step simply failed.
  async #recover(change: ChangeInProgress, why: string, isFinished?: boolean): Promise<StepOutcome> {
    const open = await this.#parts.estate.intent(change.target)
    if (open?.intent.plan === this.#plan.uid) {
      const managed = new ManagedIds(this.#parts.estate)
      return recoverIntent(this.#parts, this.#ports, managed, open, { why, ...(isFinished && { isFinished }) })
    }
    const known = (await this.#ahead.one(change))?.record.outcome
    if (known?.result === 'applied') return { kind: 'applied' }
    await this.#ports.ledger.recordOutcome(change, { result: 'failed', message: why, at: this.#ports.now() })
    return { kind: 'failed', message: why }
  }

  async #reportFailure(
    { target, record }: ChangeInProgress,
    { kind, message }: Exclude<StepOutcome, { kind: 'applied' }>,
  ) {
    const { objects, clock } = this.#parts
    const { ref, instance, part } = target
    const uid = record.work?.uid ?? ''
    const subject = { ...ref, uid, apiVersion: `${ref.group}/v1`, kind: record.kind }
    // A failure without an intent hasn't changed the object's status yet. The status of a batch is written once, at the end.
    if (kind === 'failed' && instance === undefined && part === '')
      await writeConditions(this.#parts, ref, uid, [
        { type: 'Applied', status: 'False', reason: 'ApplyFailed', message },
      ])
    // Bounds the number of Events; the plan's status has the counts.
    if (++this.#failures > mostEvents) return
    await recordEvent(objects, clock, subject, {
      type: 'Warning',
      reason: failureReasons[kind],
      message: `${record.address}: ${message} (plan ${this.#plan.name})`,
    })
  }

  async #skip(graphIndex: number): Promise<void> {
    const at = this.#graph.stepAt(graphIndex)
    const header = at === undefined ? undefined : this.#changes[at.change]
    if (header === undefined || at === undefined || !this.#hasWork(at.change, at.step)) return
    const change = await this.#ahead.one(header)
    if (change === undefined || change.record.outcome !== undefined) return
    const message = 'a step that it depends on was not done'
    await this.#ports.ledger.recordOutcome(change, { result: 'skipped', message, at: this.#ports.now() })
    this.tally.skipped(at.change)
  }
}

// Concurrent calls per provider configuration.
const callsAtOnce = 100

const defaultParallelism = 50

// The weight of a batched change: with the default parallelism of 50, one full batch of 200 runs at a time.
const batchedWeight = defaultParallelism / maxBatchSize

const failureReasons = { failed: 'ApplyFailed', refused: 'ChangeRefused', unknown: 'OutcomeUnknown' } as const
