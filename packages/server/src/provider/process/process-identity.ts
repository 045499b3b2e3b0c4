import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Clock, systemClock } from '@hykube/machinery/base'

/** A process that can't be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** Opaque; equal for the same process of the same machine since it was last started. */
  readonly startTime: string
}

/** Who has this number now; undefined when nobody has. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = process.platform === 'linux' ? startTimeFromProc(pid) : await startTimeFromPs(pid)
  return startTime === undefined ? undefined : { pid, startTime }
}

/** Whether exactly this process is alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.startTime === identity.startTime
}

/** Ends a provider's process that an earlier server started, with all that it started. True when it was still alive. */
export async function endProcess(identity: ProcessIdentity, clock: Clock = systemClock): Promise<boolean> {
  if (!(await isAlive(identity))) return false
  kill(-identity.pid)
  kill(identity.pid)
  for (let waited = 0; waited < longestWait && (await isAlive(identity)); waited += pause) await clock.sleep(pause)
  return true
}

const pause = 20
const longestWait = 5000

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone, or leads no group.
  }
}

function startTimeFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold anything; the state comes after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // Dead, and only waiting for its parent to take note.
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${bootId()}/${fields[19]}`
  } catch {
    return undefined
  }
}

let knownBootId: string | undefined

function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)
  return knownBootId
}

function startTimeFromPs(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], (error, out) =>
      resolve(error === null && out.trim() !== '' ? out.trim() : undefined),
    )
  })
}
