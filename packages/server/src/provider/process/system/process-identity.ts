import { execFile } from 'node:child_process'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { startTimeOf } from './process-start-time.ts'
import { treeOf } from './process-tree.ts'

/** Identifies a process even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number
  /** Opaque text from the boot id and the start time: different for a later process with the same pid. */
  readonly startTime: string
}

/** The process that currently has this pid; undefined if there is none. */
export async function identityOf(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = process.platform === 'linux' ? startTimeOf(pid) : await startTimeFromPs(pid)
  return startTime === undefined ? undefined : { pid, startTime }
}

/** Returns whether exactly this process is running, and not another one with its pid. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identityOf(identity.pid))?.startTime === identity.startTime
}

/** Kills a provider process of an earlier server and its descendants. Returns whether it was still running. */
export async function endProcess(identity: ProcessIdentity, clock: Clock = systemClock): Promise<boolean> {
  if (!(await isAlive(identity))) return false
  const tree = treeOf(identity)
  tree.look()
  kill(-identity.pid)
  kill(identity.pid)
  tree.kill()
  for (let waited = 0; waited < maxWait && (await isAlive(identity)); waited += pollInterval)
    await clock.sleep(pollInterval)
  return true
}

// In milliseconds.
const pollInterval = 20
const maxWait = 5000

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has exited, or is not the leader of a process group.
  }
}

function startTimeFromPs(pid: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'lstart=', '-p', String(pid)], (error, out) =>
      resolve(error === null && out.trim() !== '' ? out.trim() : undefined),
    )
  })
}
