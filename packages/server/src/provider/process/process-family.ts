import { readdirSync, readFileSync } from 'node:fs'
import { processesWithMark } from './launch-mark.ts'
import { startTimeOf } from './process-start-time.ts'

/**
 * A provider's process with everything that it started, however indirectly. A child that leaves the process group (setsid) or
 * whose parent has ended is still found: by the tree while its parent lives, by what was seen before, and by the launch mark in
 * its environment. Linux only; elsewhere a family is one process.
 */
export class ProcessFamily {
  readonly #mark: string
  readonly #seen = new Map<number, string>()

  constructor(first: number, mark: string) {
    this.#mark = mark
    this.#see(first)
  }

  /** Looks for children of all that are known. With `everywhere`, also at every process of the machine for the mark. */
  look({ everywhere = false }: { readonly everywhere?: boolean } = {}): readonly number[] {
    if (everywhere && this.#mark !== '') for (const pid of processesWithMark(this.#mark)) this.#see(pid)
    const open = [...this.#seen.keys()]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      if (startTimeOf(pid) !== this.#seen.get(pid)) {
        this.#seen.delete(pid)
        continue
      }
      for (const child of childrenOf(pid)) {
        if (this.#seen.has(child)) continue
        this.#see(child)
        open.push(child)
      }
    }
    return [...this.#seen.keys()]
  }

  /** The resident memory of all of them together, in bytes. */
  memory(): number {
    return this.look().reduce((sum, pid) => sum + memoryOf(pid), 0)
  }

  /** Ends all of them. Repeated while new ones appear: one may be started while another is being ended. */
  kill(): void {
    for (let round = 0; round < mostRounds; round++) {
      const members = this.look({ everywhere: true })
      if (members.length === 0) return
      for (const pid of members) kill(pid)
    }
  }

  #see(pid: number): void {
    const startTime = startTimeOf(pid)
    if (startTime !== undefined) this.#seen.set(pid, startTime)
  }
}

/** A process and what it started, seen from outside: for a process that another server left. */
export function familyOf({ pid }: { readonly pid: number }): ProcessFamily {
  return new ProcessFamily(pid, '')
}

/** The resident memory of one process in bytes; 0 when it can't be known. */
export function memoryOf(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))
  return match === null ? 0 : Number(match[1]) * 1024
}

// A process that is killed while it forks leaves at most one generation a round.
const mostRounds = 5

// Children are listed by the thread that started them.
function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => {
    const text = read(`/proc/${pid}/task/${thread}/children`).trim()
    return text === '' ? [] : text.split(' ').map(Number)
  })
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
