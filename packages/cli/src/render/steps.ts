import type { EndedStep, PlanProgress, RunningChange, StepAction } from '@hykube/machinery/plan-api'

/** Something that happened to a step of an apply, or that it is still running. */
export type StepEvent =
  | { readonly kind: 'started'; readonly address: string; readonly action: StepAction }
  | { readonly kind: 'running'; readonly address: string; readonly action: StepAction; readonly seconds: number }
  | ({ readonly kind: 'ended' } & EndedStep)
  /** Steps that ended faster than the server reports them one by one. */
  | { readonly kind: 'more'; readonly count: number }

/** Turns the progress of an apply into events, each reported once. A step that runs long is reported every ten seconds. */
export class StepLog {
  readonly #running = new Map<string, { readonly step: RunningChange; readonly since: number; reported: number }>()
  #ended = 0

  /** The events since the last call. Without a new progress, only those that time brings. */
  next(progress: PlanProgress | undefined, now: number): StepEvent[] {
    const events = progress?.recent === undefined ? [] : [...this.#endings(progress), ...this.#starts(progress, now)]
    return [...events, ...this.#reminders(now)]
  }

  *#endings({ recent = [], ended = 0 }: PlanProgress): Generator<StepEvent> {
    // The count starts again when another server continues the plan.
    const count = ended < this.#ended ? ended : ended - this.#ended
    this.#ended = ended
    const shown = count === 0 ? [] : recent.slice(-count)
    for (const step of shown) {
      if (!this.#running.delete(keyOf(step))) yield started(step)
      yield { kind: 'ended', ...step }
    }
    if (count > shown.length) yield { kind: 'more', count: count - shown.length }
  }

  *#starts({ running }: PlanProgress, now: number): Generator<StepEvent> {
    const keys = new Set(running.map(keyOf))
    for (const key of this.#running.keys()) if (!keys.has(key)) this.#running.delete(key)
    for (const step of running) {
      if (this.#running.has(keyOf(step))) continue
      // Measured by this machine's clock, which may differ from the server's.
      this.#running.set(keyOf(step), { step, since: now, reported: 0 })
      yield started(step)
    }
  }

  *#reminders(now: number): Generator<StepEvent> {
    for (const entry of this.#running.values()) {
      const tens = Math.floor((now - entry.since) / 10_000)
      if (tens <= entry.reported) continue
      entry.reported = tens
      const { address, action } = entry.step
      yield { kind: 'running', address, action, seconds: tens * 10 }
    }
  }
}

/** An event as Terraform words it. */
export function stepText(event: StepEvent): string {
  if (event.kind === 'more') return `${event.count} more steps complete`
  const { running, ended } = words[event.action]
  if (event.kind === 'started') return `${event.address}: ${running}...`
  if (event.kind === 'running')
    return `${event.address}: Still ${running.toLowerCase()}... [${durationText(event.seconds)} elapsed]`
  const id = event.id === undefined ? '' : ` [id=${event.id}]`
  return `${event.address}: ${ended} ${results[event.result]} after ${durationText(event.seconds)}${id}`
}

/** The participle of an action, such as `Creating`. */
export function runningWord(action: StepAction): string {
  return words[action]?.running ?? action
}

const words: Readonly<Record<StepAction, { readonly running: string; readonly ended: string }>> = {
  create: { running: 'Creating', ended: 'Creation' },
  update: { running: 'Modifying', ended: 'Modifications' },
  delete: { running: 'Destroying', ended: 'Destruction' },
  read: { running: 'Reading', ended: 'Read' },
  forget: { running: 'Forgetting', ended: 'Forgetting' },
  import: { running: 'Importing', ended: 'Import' },
}

const results: Readonly<Record<EndedStep['result'], string>> = {
  applied: 'complete',
  failed: 'failed',
  refused: 'refused',
  skipped: 'skipped',
  unknown: 'has an unknown outcome',
}

function started({ address, action }: Pick<RunningChange, 'address' | 'action'>): StepEvent {
  return { kind: 'started', address, action }
}

function keyOf({ address, action }: Pick<RunningChange, 'address' | 'action'>): string {
  return `${action} ${address}`
}

/** As Terraform prints durations: `45s`, `2m5s`. */
function durationText(seconds: number): string {
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
