import { durationFromText } from '@hykube/machinery/amounts'
import type { SyncWindow } from '@hykube/machinery/sync-api'
import { Cron } from 'croner'

/** A span of time, in milliseconds since 1970; the end is not part of it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A window that was checked: it opens by a schedule and stays open for a fixed time. */
export class Window {
  readonly #cron: Cron
  readonly #length: number

  /** Throws an Error that says what is wrong with the schedule, the time zone or the length. */
  constructor({ cron, for: length, timezone = 'UTC' }: SyncWindow) {
    checkTimezone(timezone)
    this.#length = Number(durationFromText(length) / 1_000_000n)
    if (this.#length <= 0) throw new WindowError('for', 'must be longer than 0s')
    this.#cron = parseCron(cron, timezone)
    if (this.next(0) === undefined) throw new WindowError('cron', `${JSON.stringify(cron)} never matches`)
  }

  /** The span that holds a point in time; undefined while the window is closed. */
  at(now: number): Span | undefined {
    // The first opening that has not ended: one that began exactly a length ago has.
    const span = this.next(now - this.#length)
    return span !== undefined && span.start <= now ? span : undefined
  }

  /** The first span that opens after a point in time. */
  next(after: number): Span | undefined {
    const start = this.#cron.nextRun(new Date(after))?.getTime()
    return start === undefined ? undefined : { start, end: start + this.#length }
  }
}

/** A field of a window that can't be used, and why. */
export class WindowError extends Error {
  readonly field: 'cron' | 'for' | 'timezone'

  constructor(field: WindowError['field'], message: string) {
    super(message)
    this.field = field
  }
}

/** The end of the span that is open now; undefined when every window is closed. Without windows it is always open. */
export function openUntil(windows: readonly Window[], now: number): number | undefined {
  if (windows.length === 0) return Number.POSITIVE_INFINITY
  const ends = windows.flatMap((window) => window.at(now)?.end ?? [])
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** When a window opens next. */
export function nextOpening(windows: readonly Window[], now: number): number | undefined {
  const starts = windows.flatMap((window) => window.next(now)?.start ?? [])
  return starts.length === 0 ? undefined : Math.min(...starts)
}

/**
 * Finds a window that is open while it opens again, or while another one is: gives their indexes. Looks at the openings of the
 * next days only, and at a bounded number, because each costs a search in the calendar.
 */
export function findOverlap(windows: readonly Window[], now: number): readonly [number, number] | undefined {
  const spans = windows.flatMap((window, index) => openings(window, now).map((span) => ({ ...span, index })))
  spans.sort((a, b) => a.start - b.start)
  let open = spans[0]
  for (const span of spans.slice(1)) {
    if (open !== undefined && span.start < open.end) return [open.index, span.index]
    open = span
  }
  return undefined
}

function openings(window: Window, now: number): Span[] {
  const found: Span[] = []
  let span = window.next(now)
  while (span !== undefined && span.start < now + horizon && found.length < mostOpenings) {
    found.push(span)
    span = window.next(span.start)
  }
  return found
}

// Two weeks show every overlap of weekly schedules; 100 openings of 50 windows are searched in some 20 ms.
const horizon = 14 * 86_400_000
const mostOpenings = 100

function checkTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw new WindowError('timezone', `${JSON.stringify(timezone)} is not an IANA time zone such as Europe/Berlin`)
  }
}

function parseCron(pattern: string, timezone: string): Cron {
  try {
    return new Cron(pattern, { timezone, mode: '5-part', paused: true })
  } catch (error) {
    throw new WindowError('cron', `${JSON.stringify(pattern)}: ${String((error as Error).message)}`)
  }
}
