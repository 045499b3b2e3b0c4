import type { StepOutcome } from '../apply/index.ts'
import type { ChangeHeader } from './change-header.ts'
import type { PlanProgress, PlanStatus } from './plan-status.ts'

/** Counts what came of a plan's changes. */
export class ApplyTally {
  readonly #changes: readonly ChangeHeader[]
  readonly #now: () => string
  readonly #running = new Map<number, string>()
  readonly #results: (StepOutcome['kind'] | 'skipped' | undefined)[]
  readonly #messages: string[] = []
  #added = 0
  #changed = 0
  #destroyed = 0

  constructor(changes: readonly ChangeHeader[], now: () => string) {
    this.#changes = changes
    this.#now = now
    this.#results = changes.map(({ result }) => result as StepOutcome['kind'] | undefined)
    for (const [index, { result }] of changes.entries()) if (result === 'applied') this.#count(index)
  }

  begun(index: number): void {
    this.#running.set(index, this.#now())
  }

  ended(index: number, step: 'make' | 'destroy', outcome: StepOutcome): void {
    this.#running.delete(index)
    const { makes, destroys, createFirst } = this.#changes[index]!
    const isLast = !(makes && destroys) || step === (createFirst ? 'destroy' : 'make')
    if (outcome.kind === 'applied' && !isLast) return
    this.#results[index] = outcome.kind
    if (outcome.kind === 'applied') this.#count(index)
    else if (this.#messages.length < mostMessages)
      this.#messages.push(`${this.#changes[index]!.address}: ${outcome.message}`)
  }

  skipped(index: number): void {
    this.#results[index] = 'skipped'
  }

  get progress(): PlanProgress {
    const results = this.#results.filter((result) => result !== undefined)
    const running = [...this.#running].slice(0, mostRunning)
    return {
      total: this.#changes.filter(isWork).length,
      done: results.filter((result) => result === 'applied').length,
      failed: results.filter((result) => result !== 'applied').length,
      running: running.map(([index, since]) => {
        const { address, action } = this.#changes[index]!
        return { address, action, since }
      }),
    }
  }

  /** The objects all of whose changes were applied, and those of which something is left. */
  get nodes(): { readonly settled: ReadonlySet<ChangeHeader['place']['node']>; readonly all: readonly ChangeHeader[] } {
    const open = new Set<string>()
    for (const [index, header] of this.#changes.entries()) if (this.#results[index] !== 'applied') open.add(header.node)
    const settled = new Map<string, ChangeHeader['place']['node']>()
    for (const { node, place } of this.#changes) if (!open.has(node)) settled.set(node, place.node)
    return { settled: new Set(settled.values()), all: this.#changes }
  }

  /** How the plan stands now that nothing goes on any more. */
  finished(status: PlanStatus, isStopped: boolean, at: string): PlanStatus {
    const { progress } = this
    const canceled = status.canceled !== undefined
    // The server stops: the next one goes on.
    if (isStopped && !canceled && progress.done < progress.total) return { ...status, progress }
    const count = (wanted: string) => this.#results.filter((result) => result === wanted).length
    const isStale = count('refused') > 0 && count('refused') + count('skipped') === progress.failed
    const phase =
      progress.done === progress.total
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
      phase,
      progress,
      outcome: { added: this.#added, changed: this.#changed, destroyed: this.#destroyed },
      finishedAt: at,
      ...(this.#messages.length > 0 && { message: this.#messages.join('\n') }),
    }
  }

  #count(index: number): void {
    const { action } = this.#changes[index]!
    if (action === 'create' || action === 'replace') this.#added++
    if (action === 'update') this.#changed++
    if (action === 'delete' || action === 'replace') this.#destroyed++
  }
}

const mostMessages = 10
const mostRunning = 20

function isWork({ makes, destroys }: ChangeHeader): boolean {
  return makes || destroys
}
