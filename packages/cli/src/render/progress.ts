import { humanDuration } from '@hykube/machinery/object'
import type { Style } from './style.ts'
import { fit, widthOf } from './table.ts'

/** How far a plan has come, as its status tells. */
export interface Progress {
  readonly total: number
  readonly done: number
  readonly failed?: number
  readonly running?: readonly RunningOperation[]
}

/** Something that a provider is doing. */
export interface RunningOperation {
  readonly address: string
  readonly action?: string
  /** When it began, as RFC 3339. */
  readonly since?: string
}

/** Where and when progress is told. */
export interface ProgressTelling {
  readonly title: string
  /** When it began, in milliseconds. */
  readonly startedAt: number
  readonly now: number
  readonly columns: number
  readonly style: Style
}

/** The lines of a live view: a bar with what is left, and what is running, longest first. */
export function progressLines(progress: Progress, telling: ProgressTelling): string[] {
  const { now, columns, style } = telling
  const running = [...(progress.running ?? [])].sort((a, b) => timeOf(a, now) - timeOf(b, now))
  const shown = running.slice(0, mostRunning)
  // What it is doing and for how long must stay to be seen, so a long address is cut.
  const width = Math.min(columns - 22, Math.max(0, ...shown.map(({ address }) => widthOf(address))))
  const lines = shown.map((operation) => {
    const { address, action = 'running' } = operation
    const doing = `${verbs[action] ?? action} ${humanDuration(now - timeOf(operation, now))}`
    return `  ${fit(`${fit(address, width).padEnd(width)}   ${doing}`, columns - 2)}`
  })
  const rest = running.length - shown.length
  return [barLine(progress, telling), ...lines, ...(rest > 0 ? [style.gray(`  and ${rest} more`)] : [])]
}

/** Progress in one line, for where nothing can be drawn. */
export function progressLine(
  progress: Progress,
  { startedAt, now }: Pick<ProgressTelling, 'startedAt' | 'now'>,
): string {
  const { done, total, failed = 0, running = [] } = progress
  const longest = running.map((each) => timeOf(each, now)).sort((a, b) => a - b)[0]
  const slow = running.find((each) => timeOf(each, now) === longest)
  const waits =
    slow === undefined || now - longest! < 10_000 ? '' : `; ${slow.address} for ${humanDuration(now - longest!)}`
  return `${done}/${total} done, ${running.length} running, ${failed} failed after ${humanDuration(now - startedAt)}${waits}`
}

const mostRunning = 8

const verbs: Readonly<Record<string, string>> = {
  create: 'creating',
  update: 'updating',
  delete: 'destroying',
  replace: 'replacing',
  read: 'reading',
  forget: 'forgetting',
  import: 'importing',
}

function barLine(progress: Progress, { title, startedAt, now, columns, style }: ProgressTelling): string {
  const { total, done, failed = 0 } = progress
  const words = [`${done}/${total}`, ...(failed > 0 ? [`${failed} failed`] : []), timeWords(progress, now - startedAt)]
  const tail = words.join('  ')
  const room = Math.min(40, columns - widthOf(title) - widthOf(tail) - 4)
  if (room < 8) return fit(`${title}  ${tail}`, columns)
  const filled = total === 0 ? 0 : Math.min(room, Math.floor((room * done) / total))
  const bar = `${style.green('━'.repeat(filled))}${style.gray('─'.repeat(room - filled))}`
  const shownFailed = failed > 0 ? tail.replace(`${failed} failed`, style.red(`${failed} failed`)) : tail
  return `${style.bold(title)}  ${bar}  ${shownFailed}`
}

// What is left is guessed from how long each took so far, once that says something.
function timeWords({ total, done }: Progress, elapsed: number): string {
  const left = done >= 3 && elapsed >= 2000 && done < total ? (elapsed / done) * (total - done) : undefined
  return left === undefined ? humanDuration(elapsed) : `${humanDuration(elapsed)}, about ${humanDuration(left)} left`
}

function timeOf({ since }: RunningOperation, now: number): number {
  const time = since === undefined ? Number.NaN : Date.parse(since)
  return Number.isNaN(time) ? now : time
}
