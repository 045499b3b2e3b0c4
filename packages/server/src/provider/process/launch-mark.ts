import { readdirSync, readFileSync } from 'node:fs'

/** The variable by which a process is found again that was started and never noted. */
export const launchVariable = 'HYKUBE_LAUNCH'

/** The numbers of processes that were started with this mark and can be looked into: on Linux, those of the own user. */
export function processesWithMark(mark: string): number[] {
  if (process.platform !== 'linux' || mark === '') return []
  const wanted = Buffer.from(`\0${launchVariable}=${mark}\0`)
  const numbers = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return numbers.filter((pid) => environmentOf(pid).includes(wanted))
}

// As it was when the program began, between zeros.
function environmentOf(pid: number): Buffer {
  try {
    return Buffer.concat([zero, readFileSync(`/proc/${pid}/environ`)])
  } catch {
    // It is gone, or somebody else's.
    return zero
  }
}

const zero = Buffer.from([0])
