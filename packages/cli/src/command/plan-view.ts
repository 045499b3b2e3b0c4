import { fit, LiveView, progressLine, progressLines } from '../render/index.ts'
import { phaseOf } from './follow-plan.ts'
import type { Plan } from './plan-api.ts'
import type { Terminal } from './terminal.ts'

/**
 * Shows how a plan comes along: drawn again and again where a person looks, and now and then a line where not. It goes to
 * the place for what is said besides, so that what was asked for stays clean.
 */
export class PlanView {
  readonly #terminal: Terminal
  readonly #title: string
  readonly #live: LiveView | undefined
  readonly #startedAt: number
  #plan: Plan | undefined
  #timer: NodeJS.Timeout | undefined
  #toldAt: number
  #told = ''

  constructor(terminal: Terminal, title: string) {
    this.#terminal = terminal
    this.#title = title
    this.#startedAt = terminal.now()
    this.#toldAt = this.#startedAt
    if (terminal.live) {
      this.#live = new LiveView(
        (text) => terminal.out(text),
        (lines) => terminal.erase(lines),
      )
      this.#timer = setInterval(() => this.#draw(), 200)
    }
  }

  /** The plan as it is now. */
  show(plan: Plan): void {
    this.#plan = plan
    if (this.#live !== undefined) this.#draw()
    else this.#tell()
  }

  /** Says something that stays. */
  say(text: string): void {
    if (this.#live === undefined) this.#terminal.err(text)
    else this.#live.above(text)
  }

  /** The server does not answer; it is asked again. */
  trouble(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error)
    if (text === this.#told) return
    this.#told = text
    this.say(`hykube: ${text}; asking again\n`)
  }

  /** Takes away what moves. */
  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#live?.clear()
  }

  #draw(): void {
    if (this.#plan === undefined || this.#timer === undefined) return
    const { columns, style } = this.#terminal
    const now = this.#terminal.now()
    const progress = this.#plan.status?.progress
    const title = `${this.#title} ${this.#plan.metadata.name}`
    if (progress === undefined || progress.total === 0) {
      const seconds = Math.floor((now - this.#startedAt) / 1000)
      this.#live!.draw([fit(`${title}  ${phaseOf(this.#plan).toLowerCase()}  ${seconds}s`, columns)])
      return
    }
    this.#live!.draw(progressLines(progress, { title, startedAt: this.#startedAt, now, columns, style }))
  }

  // A line each few seconds is enough for a log.
  #tell(): void {
    const progress = this.#plan?.status?.progress
    const now = this.#terminal.now()
    if (progress === undefined || progress.total === 0 || now - this.#toldAt < betweenLines) return
    this.#toldAt = now
    this.#terminal.err(
      `${this.#title} ${this.#plan!.metadata.name}: ${progressLine(progress, { startedAt: this.#startedAt, now })}\n`,
    )
  }
}

const betweenLines = 5000
