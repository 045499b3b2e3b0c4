import { readdirSync, readFileSync } from 'node:fs'

/**
 * An environment variable with a unique mark for each started process. Children inherit it, so a process is found again even if
 * the server was killed before it wrote the pid file.
 */
export const launchVariable = 'HYKUBE_LAUNCH'

/** The pids of processes started with this mark. Linux only; the environment of other users' processes can't be read. */
export function processesWithMark(mark: string): number[] {
  if (process.platform !== 'linux' || mark === '') return []
  const wanted = Buffer.from(`\0${launchVariable}=${mark}\0`)
  const numbers = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return numbers.filter((pid) => environmentOf(pid).includes(wanted))
}

/** The mark that a process was started with; undefined if it has none. */
export function markOf(pid: number): string | undefined {
  const environment = environmentOf(pid).toString('latin1')
  return new RegExp(`\0${launchVariable}=([^\0]*)\0`).exec(environment)?.[1]
}

// The initial environment of a process: NAME=VALUE entries, each ended by a zero byte. A leading zero makes all entries alike.
function environmentOf(pid: number): Buffer {
  try {
    return Buffer.concat([zero, readFileSync(`/proc/${pid}/environ`)])
  } catch {
    // The process has exited, or belongs to another user.
    return zero
  }
}

const zero = Buffer.from([0])
