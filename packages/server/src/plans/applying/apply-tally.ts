import { timeToText } from '@hykube/machinery/amounts'
import type { EndedStep, PlanProgress, PlanStatus, StepAction } from '@hykube/machinery/plan-api'
import type { StepOutcome } from '../../applying/index.ts'
import type { InstanceKey, ResourceRef } from '../../model/index.ts'
import type { ChangeHeader } from './change-header.ts'

/** Counts the outcomes of a plan's changes while it is applied, and derives progress and final status from them. */
export class ApplyTally {
  readonly #changes: readonly ChangeHeader[]
  readonly #now: () => number
  readonly #running = new Map<number, RunningStep>()
  /** The last steps that ended. */
  #recent: (Omit<EndedStep, 'id'> & { readonly attributes: Attributes })[] = []
  #ended = 0
  /** The outcome of each change as its index in `results` plus one; 0 while there is none. One byte per change, because there may be millions. */
  readonly #results: Uint8Array
  /** The number of changes by outcome. */
  readonly #counts: Record<Result, number> = { applied: 0, failed: 0, refused: 0, unknown: 0, skipped: 0 }
  readonly #total: number
  readonly #messages: string[] = []
  #added = 0
  #changed = 0
  #destroyed = 0
  /** True when a step was applied, even if it was only the first half of a replacement. */
  #hasApplied = false

  constructor(changes: readonly ChangeHeader[], now: () => number) {
    this.#changes = changes
    this.#now = now
    this.#results = new Uint8Array(changes.length)
    let total = 0
    for (const [index, { result, half, makes, destroys }] of changes.entries()) {
      if (makes || destroys) total++
      if (result !== undefined) this.#count(index, result as Result)
      if (makes && (result === 'applied' || half === 'made')) this.#countStep(index, 'make')
      if (destroys && (result === 'applied' || half === 'destroyed')) this.#countStep(index, 'destroy')
    }
    this.#total = total
  }

  begun(index: number, step: 'make' | 'destroy', address: string): void {
    this.#running.set(index, { address, action: stepAction(this.#changes[index]!, step), since: this.#now() })
  }

  ended(index: number, step: 'make' | 'destroy', outcome: StepOutcome): void {
    const running = this.#running.get(index)
    this.#running.delete(index)
    if (running !== undefined) this.#keep(running, outcome)
    if (outcome.kind === 'applied') this.#countStep(index, step)
    const { makes, destroys, createFirst } = this.#changes[index]!
    const isLast = !(makes && destroys) || step === (createFirst ? 'destroy' : 'make')
    if (outcome.kind === 'applied' && !isLast) return
    this.#count(index, outcome.kind)
    if (outcome.kind !== 'applied' && this.#messages.length < mostMessages)
      this.#messages.push(`${running?.address ?? ''}: ${outcome.message}`)
  }

  skipped(index: number): void {
    this.#count(index, 'skipped')
  }

  get progress(): PlanProgress {
    const { applied, ...others } = this.#counts
    return {
      total: this.#total,
      done: applied,
      failed: Object.values(others).reduce((sum, count) => sum + count, 0),
      running: [...this.#running.values()]
        .slice(0, mostRunning)
        .map((each) => ({ ...each, since: timeToText(each.since) })),
      ended: this.#ended,
      recent: this.#recent.slice(-mostRecent).map(({ attributes, ...step }): EndedStep => {
        const id = attributes?.().id
        return typeof id === 'string' && id !== '' ? { ...step, id } : step
      }),
    }
  }

  /** Lists the objects of the plan, each with the outcomes of its changes. */
  *objects(): Generator<ObjectTally> {
    let tally: (Mutable<ObjectTally> & { applied: Mutable<ObjectTally['applied']>; leaving: InstanceKey[] }) | undefined
    let isKept = false
    // Changes are ordered by key, so those of an object are adjacent.
    for (const [index, { target, isUnwritten, action, makes, destroys }] of this.#changes.entries()) {
      if (tally?.ref !== target.ref) {
        if (tally !== undefined) yield tally
        tally = { ...untouched, ref: target.ref, applied: {}, leaving: [] }
        isKept = false
      }
      const isApplied = this.#results[index] === appliedCode
      if (!isApplied) tally.isSettled = false
      else tally.applied[action] = (tally.applied[action] ?? 0) + 1
      if (tally.first === none && (makes || destroys)) tally.first = index
      if (target.instance !== undefined) tally.isBatch = true
      if (target.instance !== undefined || target.part !== '') tally.hasSeveralParts = true
      if (target.part !== '') continue
      if (!isUnwritten) isKept = true
      tally.isDestroyed = !isKept
      if (destroys && !makes && !isUnwritten && !isApplied) tally.leaving.push(target.instance)
    }
    if (tally !== undefined) yield tally
  }

  /** The numbers of the first blocked changes, for a message. */
  get blocked(): readonly number[] {
    const blocked: number[] = []
    for (const [index, { action }] of this.#changes.entries())
      if (action === 'blocked' && blocked.push(index) === mostMessages) break
    return blocked
  }

  /**
   * Returns the status of a plan after its last step. `blocked` are messages of blocked changes. They become the plan's message when deferred
   * changes turned out blocked after the approval, because the plan isn't fully applied then.
   */
  finished(status: PlanStatus, isStopped: boolean, at: string, blocked: readonly string[] = []): PlanStatus {
    const { progress } = this
    const canceled = status.canceled !== undefined
    // The server is stopping; the plan stays Applying and the next server continues it.
    if (isStopped && !canceled && progress.done < progress.total) return { ...status, progress }
    const { refused, skipped } = this.#counts
    const isStale = refused > 0 && refused + skipped === progress.failed
    const summary = status.summary && { ...status.summary, ...this.#byAction() }
    const isBlockedLater = summary !== undefined && (summary.blocked ?? 0) > (status.summary!.blocked ?? 0)
    const messages = isBlockedLater ? [...this.#messages, ...blocked].slice(0, mostMessages) : this.#messages
    const phase =
      progress.done === progress.total && !isBlockedLater
        ? 'Applied'
        : canceled
          ? 'Canceled'
          : this.#hasApplied
            ? 'PartiallyApplied'
            : isStale
              ? 'Stale'
              : 'Failed'
    const { message: _, ...rest } = status
    return {
      ...rest,
      ...(summary !== undefined && { summary }),
      phase,
      progress,
      outcome: { added: this.#added, changed: this.#changed, destroyed: this.#destroyed },
      finishedAt: at,
      ...(messages.length > 0 && { message: messages.join('\n') }),
    }
  }

  // Attributes are computed only for reported steps, because thousands may end in a second.
  #keep({ address, action, since }: RunningStep, outcome: StepOutcome): void {
    this.#ended++
    const seconds = Math.round((this.#now() - since) / 1000)
    const attributes = outcome.kind === 'applied' ? outcome.attributes : undefined
    this.#recent.push({ address, action, result: outcome.kind, seconds, attributes })
    if (this.#recent.length >= 2 * mostRecent) this.#recent = this.#recent.slice(-mostRecent)
  }

  // Planning a deferred object replaces its change with others, so the summary is counted again.
  #byAction(): Partial<Record<ChangeHeader['action'], number>> {
    const counts: Partial<Record<ChangeHeader['action'], number>> = { deferred: 0 }
    for (const { action } of this.#changes) counts[action] = (counts[action] ?? 0) + 1
    return counts
  }

  // The second half of a replacement may fail after the first one was counted; the last outcome counts.
  #count(index: number, result: Result): void {
    const before = results[this.#results[index]! - 1]
    if (before !== undefined) this.#counts[before]--
    this.#results[index] = results.indexOf(result) + 1
    this.#counts[result]++
  }

  // The halves of a replacement are counted separately, because only one of them may be applied.
  #countStep(index: number, step: 'make' | 'destroy'): void {
    this.#hasApplied = true
    const action = stepAction(this.#changes[index]!, step)
    if (action === 'create') this.#added++
    if (action === 'update') this.#changed++
    if (action === 'delete') this.#destroyed++
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** The outcomes of one object's changes. */
export interface ObjectTally {
  readonly ref: ResourceRef
  readonly isSettled: boolean
  /** True when a change is about an instance with a key. */
  readonly isBatch: boolean
  /** True when a change is about an instance with a key or a deposed resource. */
  readonly hasSeveralParts: boolean
  /** True when the plan only destroys the object's resources although the object still exists. */
  readonly isDestroyed: boolean
  /** The number of its first change with a step; -1 when there is none. */
  readonly first: number
  /** The instances that are no longer desired and were not destroyed. */
  readonly leaving: readonly InstanceKey[]
  /** The number of applied changes by action. */
  readonly applied: Readonly<Partial<Record<ChangeHeader['action'], number>>>
}

interface RunningStep {
  readonly address: string
  readonly action: StepAction
  /** In milliseconds. */
  readonly since: number
}

type Attributes = Extract<StepOutcome, { kind: 'applied' }>['attributes']

function stepAction({ action, keepsOld }: ChangeHeader, step: 'make' | 'destroy'): StepAction {
  if (action !== 'replace') return action as StepAction
  if (step === 'make') return 'create'
  return keepsOld ? 'forget' : 'delete'
}

type Result = StepOutcome['kind'] | 'skipped'

const none = -1
const untouched = { isSettled: true, isBatch: false, hasSeveralParts: false, isDestroyed: false, first: none }

const results: readonly Result[] = ['applied', 'failed', 'refused', 'unknown', 'skipped']
const appliedCode = results.indexOf('applied') + 1

// Bounds of the plan's status: messages of failures, and running changes.
const mostMessages = 10
const mostRunning = 20

// A report is stored each second; more than this in a second are only counted.
const mostRecent = 50
