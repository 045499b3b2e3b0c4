import { messageOf } from '@hykube/machinery/base'
import { fit, LiveView, progressLines, type StepEvent, StepLog } from '../../render/index.ts'
import type { Terminal } from '../host/terminal.ts'
import { phaseOf } from './follow-plan.ts'
import type { Plan } from './plan-api.ts'

export interface PlanViewOptions {
  readonly title: string
  /** Redraws progress in place. Default: when the terminal is live. */
  readonly live?: boolean
  /** The text of an event of an apply. Default: none. */
  readonly step?: (event: StepEvent) => string
}

/**
 * Shows how a plan proceeds: redrawn lines on a live terminal, otherwise one line for each event. On a live terminal only the
 * ends of steps are printed, because the redrawn lines show those that run.
 */
export class PlanView {
  readonly #terminal: Terminal
  readonly #options: PlanViewOptions
  readonly #live: LiveView | undefined
  readonly #log = new StepLog()
  readonly #startedAt: number
  readonly #timer: NodeJS.Timeout
  #plan: Plan | undefined
  #isEnded = false
  #lastTrouble = ''

  constructor(terminal: Terminal, options: PlanViewOptions) {
    this.#terminal = terminal
    this.#options = options
    this.#startedAt = terminal.now()
    if (options.live ?? terminal.live)
      this.#live = new LiveView(
        (text) => terminal.out(text),
        (lines) => terminal.erase(lines),
      )
    this.#timer = setInterval(() => this.#tick(), this.#live === undefined ? 1000 : 200)
  }

  /** Takes a new state of the plan. */
  show(plan: Plan): void {
    this.#plan = plan
    this.#print(this.#log.next(plan.status?.progress, this.#terminal.now()))
    this.#draw()
  }

  /** Prints a permanent text. */
  say(text: string): void {
    if (this.#live === undefined) this.#terminal.err(text)
    else this.#live.above(text)
  }

  /** Reports a request that failed and is repeated, once for each message. */
  trouble(error: unknown): void {
    const text = messageOf(error)
    if (text === this.#lastTrouble) return
    this.#lastTrouble = text
    this.say(`hykube: ${text}; trying again\n`)
  }

  /** Removes the redrawn lines and stops. */
  end(): void {
    clearInterval(this.#timer)
    this.#isEnded = true
    this.#live?.clear()
  }

  #tick(): void {
    this.#print(this.#log.next(undefined, this.#terminal.now()))
    this.#draw()
  }

  #print(events: readonly StepEvent[]): void {
    const { step } = this.#options
    if (step === undefined) return
    for (const event of events) {
      if (this.#live === undefined) this.#terminal.out(step(event))
      else if (event.kind === 'ended' || event.kind === 'more') this.#live.above(step(event))
    }
  }

  #draw(): void {
    if (this.#plan === undefined || this.#live === undefined || this.#isEnded) return
    const { columns, style } = this.#terminal
    const now = this.#terminal.now()
    const progress = this.#plan.status?.progress
    const title = `${this.#options.title} ${this.#plan.metadata.name}`
    if (progress === undefined || progress.total === 0) {
      const seconds = Math.floor((now - this.#startedAt) / 1000)
      this.#live.draw([fit(`${title}  ${phaseOf(this.#plan).toLowerCase()}  ${seconds}s`, columns)])
      return
    }
    this.#live.draw(progressLines(progress, { title, startedAt: this.#startedAt, now, columns, style }))
  }
}
