import { execFile } from 'node:child_process'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { familyOf } from './process-family.ts'
import { startTimeOf } from './process-start-time.ts'

/** A process that can't be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number
  /** Opaque; equal for the same process of the same machine since it was last started. */
  readonly startTime: string
}

/** Who has this number now; undefined when nobody has. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = process.platform === 'linux' ? startTimeOf(pid) : await startTimeFromPs(pid)
  return startTime === undefined ? undefined : { pid, startTime }
}

/** Whether exactly this process is alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.startTime === identity.startTime
}

/** Ends a provider's process that an earlier server started, with all that it started. True when it was still alive. */
export async function endProcess(identity: ProcessIdentity, clock: Clock = systemClock): Promise<boolean> {
  if (!(await isAlive(identity))) return false
  const family = familyOf(identity)
  family.look()
  kill(-identity.pid)
  kill(identity.pid)
  family.kill()
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

function startTimeFromPs(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], (error, out) =>
      resolve(error === null && out.trim() !== '' ? out.trim() : undefined),
    )
  })
}
