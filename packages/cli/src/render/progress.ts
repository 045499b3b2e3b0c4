import { humanDuration } from '@hykube/machinery/amounts'
import type { PlanProgress, RunningChange } from '@hykube/machinery/plan-api'
import { runningWord } from './steps.ts'
import type { Style } from './style.ts'
import { fit, widthOf } from './table.ts'

export interface ProgressOptions {
  readonly title: string
  /** When the apply began, in milliseconds. */
  readonly startedAt: number
  readonly now: number
  readonly columns: number
  readonly style: Style
}

/** The lines of a live view: a bar, and the running changes, the longest first. */
export function progressLines(progress: PlanProgress, options: ProgressOptions): string[] {
  const { now, columns, style } = options
  const running = [...progress.running].sort((a, b) => timeOf(a, now) - timeOf(b, now))
  const shown = running.slice(0, mostRunning)
  // Long addresses are cut, so that the action and its duration stay visible.
  const width = Math.min(columns - 22, Math.max(0, ...shown.map(({ address }) => widthOf(address))))
  const lines = shown.map((change) => {
    const doing = `${runningWord(change.action).toLowerCase()} ${humanDuration(now - timeOf(change, now))}`
    return `  ${fit(`${fit(change.address, width).padEnd(width)}   ${doing}`, columns - 2)}`
  })
  const rest = running.length - shown.length
  return [barLine(progress, options), ...lines, ...(rest > 0 ? [style.gray(`  and ${rest} more`)] : [])]
}

const mostRunning = 8

function barLine(progress: PlanProgress, { title, startedAt, now, columns, style }: ProgressOptions): string {
  const { total, done, failed = 0 } = progress
  const counts = [`${done}/${total}`, ...(failed > 0 ? [`${failed} failed`] : []), timeText(progress, now - startedAt)]
  const tail = counts.join('  ')
  const room = Math.min(40, columns - widthOf(title) - widthOf(tail) - 4)
  if (room < 8) return fit(`${title}  ${tail}`, columns)
  const filled = total === 0 ? 0 : Math.min(room, Math.floor((room * done) / total))
  const bar = `${style.green('━'.repeat(filled))}${style.gray('─'.repeat(room - filled))}`
  const shownFailed = failed > 0 ? tail.replace(`${failed} failed`, style.red(`${failed} failed`)) : tail
  return `${style.bold(title)}  ${bar}  ${shownFailed}`
}

// The rest is estimated from the changes so far, once there are three of them and two seconds have passed.
function timeText({ total, done }: PlanProgress, elapsed: number): string {
  const left = done >= 3 && elapsed >= 2000 && done < total ? (elapsed / done) * (total - done) : undefined
  return left === undefined ? humanDuration(elapsed) : `${humanDuration(elapsed)}, about ${humanDuration(left)} left`
}

function timeOf({ since }: RunningChange, now: number): number {
  const time = since === undefined ? Number.NaN : Date.parse(since)
  return Number.isNaN(time) ? now : time
}
