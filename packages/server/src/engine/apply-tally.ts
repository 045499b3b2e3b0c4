import type { StepOutcome } from '../apply/index.ts'
import type { InstanceKey, NodePlace } from '../plan/index.ts'
import type { ChangeHeader } from './change-header.ts'
import type { PlanProgress, PlanStatus } from './plan-status.ts'

/** Counts what came of a plan's changes. */
export class ApplyTally {
  readonly #changes: readonly ChangeHeader[]
  readonly #now: () => string
  readonly #running = new Map<number, { readonly address: string; readonly since: string }>()
  /** Of each change: its place in `results`, plus one; 0 while nothing came of it. */
  readonly #results: Uint8Array
  /** How many changes came out so. */
  readonly #counts: Record<Result, number> = { applied: 0, failed: 0, refused: 0, unknown: 0, skipped: 0 }
  readonly #total: number
  readonly #messages: string[] = []
  #added = 0
  #changed = 0
  #destroyed = 0

  constructor(changes: readonly ChangeHeader[], now: () => string) {
    this.#changes = changes
    this.#now = now
    this.#results = new Uint8Array(changes.length)
    let total = 0
    for (const [index, { result, makes, destroys }] of changes.entries()) {
      if (makes || destroys) total++
      if (result !== undefined) this.#came(index, result as Result)
    }
    this.#total = total
  }

  begun(index: number, address: string): void {
    this.#running.set(index, { address, since: this.#now() })
  }

  ended(index: number, step: 'make' | 'destroy', outcome: StepOutcome): void {
    const address = this.#running.get(index)?.address ?? ''
    this.#running.delete(index)
    const { makes, destroys, createFirst } = this.#changes[index]!
    const isLast = !(makes && destroys) || step === (createFirst ? 'destroy' : 'make')
    if (outcome.kind === 'applied' && !isLast) return
    this.#came(index, outcome.kind)
    if (outcome.kind !== 'applied' && this.#messages.length < mostMessages)
      this.#messages.push(`${address}: ${outcome.message}`)
  }

  skipped(index: number): void {
    this.#came(index, 'skipped')
  }

  get progress(): PlanProgress {
    const { applied, ...others } = this.#counts
    return {
      total: this.#total,
      done: applied,
      failed: Object.values(others).reduce((sum, count) => sum + count, 0),
      running: [...this.#running]
        .slice(0, mostRunning)
        .map(([index, { address, since }]) => ({ address, action: this.#changes[index]!.action, since })),
    }
  }

  /** The objects of the plan, each once, with what came of their changes. */
  *nodes(): Generator<NodeTally> {
    let tally: (Mutable<NodeTally> & { applied: Mutable<NodeTally['applied']>; leaving: InstanceKey[] }) | undefined
    let isKept = false
    // Changes are in the order of addresses: those of an object are beside each other.
    for (const [index, { place, isUnwritten, action, makes, destroys }] of this.#changes.entries()) {
      if (tally?.place !== place.node) {
        if (tally !== undefined) yield tally
        tally = { ...untouched, place: place.node, applied: {}, leaving: [] }
        isKept = false
      }
      const isApplied = this.#results[index] === appliedCode
      if (!isApplied) tally.isSettled = false
      else tally.applied[action] = (tally.applied[action] ?? 0) + 1
      if (tally.first === none && (makes || destroys)) tally.first = index
      if (place.instance !== undefined) tally.isBatch = true
      if (place.instance !== undefined || place.part !== '') tally.hasSeveralParts = true
      if (place.part !== '') continue
      if (!isUnwritten) isKept = true
      tally.isDestroyed = !isKept
      if (destroys && !makes && !isUnwritten && !isApplied) tally.leaving.push(place.instance)
    }
    if (tally !== undefined) yield tally
  }

  /** The numbers of the first blocked changes: enough of them for a message. */
  get blocked(): readonly number[] {
    const blocked: number[] = []
    for (const [index, { action }] of this.#changes.entries())
      if (action === 'blocked' && blocked.push(index) === mostMessages) break
    return blocked
  }

  /**
   * How the plan stands now that nothing goes on any more. `blocked` says why changes are blocked. It becomes the message when
   * some were deferred when the plan was approved: a plan is not applied while these are not.
   */
  finished(status: PlanStatus, isStopped: boolean, at: string, blocked: readonly string[] = []): PlanStatus {
    const { progress } = this
    const canceled = status.canceled !== undefined
    // The server stops: the next one goes on.
    if (isStopped && !canceled && progress.done < progress.total) return { ...status, progress }
    const { refused, skipped } = this.#counts
    const isStale = refused > 0 && refused + skipped === progress.failed
    const summary = status.summary && { ...status.summary, ...this.#byAction() }
    const isBlockedLater = summary !== undefined && summary.blocked > status.summary!.blocked
    const messages = isBlockedLater ? [...this.#messages, ...blocked].slice(0, mostMessages) : this.#messages
    const phase =
      progress.done === progress.total && !isBlockedLater
        ? 'Applied'
        : canceled
          ? 'Canceled'
          : progress.done > 0
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

  // Planning a deferred object again replaces its record in the plan by others, so that the summary is counted anew.
  #byAction(): Partial<Record<ChangeHeader['action'], number>> {
    const counts: Partial<Record<ChangeHeader['action'], number>> = { deferred: 0 }
    for (const { action } of this.#changes) counts[action] = (counts[action] ?? 0) + 1
    return counts
  }

  // A step may fail after the other half of its change did: the last word counts.
  #came(index: number, result: Result): void {
    const before = results[this.#results[index]! - 1]
    if (before !== undefined) this.#counts[before]--
    this.#results[index] = results.indexOf(result) + 1
    this.#counts[result]++
    if (result !== 'applied') return
    const { action, keepsOld } = this.#changes[index]!
    if (action === 'create' || action === 'replace') this.#added++
    if (action === 'update') this.#changed++
    if (action === 'delete' || (action === 'replace' && !keepsOld)) this.#destroyed++
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What came of the changes of one object. */
export interface NodeTally {
  readonly place: NodePlace
  readonly isSettled: boolean
  /** One of the changes is of an instance of several. */
  readonly isBatch: boolean
  /** One of the changes is of an instance of several, or of an object that was left behind. */
  readonly hasSeveralParts: boolean
  /** The plan only destroys it, and what is written still asks for it. */
  readonly isDestroyed: boolean
  /** The number of its first change that does something; -1 when there is none. */
  readonly first: number
  /** The instances that it no longer wants and that were not destroyed. */
  readonly leaving: readonly InstanceKey[]
  /** How many were applied, by action. */
  readonly applied: Readonly<Partial<Record<ChangeHeader['action'], number>>>
}

type Result = StepOutcome['kind'] | 'skipped'

const none = -1
const untouched = { isSettled: true, isBatch: false, hasSeveralParts: false, isDestroyed: false, first: none }

const results: readonly Result[] = ['applied', 'failed', 'refused', 'unknown', 'skipped']
const appliedCode = results.indexOf('applied') + 1

const mostMessages = 10
const mostRunning = 20
