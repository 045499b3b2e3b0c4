import { readdirSync, readFileSync } from 'node:fs'
import { escapedProcesses } from './escaped-processes.ts'
import { markOf, processesWithMark } from './launch-mark.ts'
import { startTimeOf } from './process-start-time.ts'

/**
 * A provider process and all its descendants. A child that leaves the process group (setsid) or whose parent has exited is still
 * found: through its parent while that lives, from earlier scans, by the launch mark in its environment, and by the user if the
 * provider has one of its own. Linux only; elsewhere the tree is one process.
 */
export class ProcessTree {
  static readonly #running = new Set<ProcessTree>()

  readonly #mark: string
  readonly #uid: number | undefined
  readonly #processes = new Map<number, string>()

  /** `uid` is the user that runs no other programs than this provider; undefined if there is none. */
  constructor(first: number, mark: string, uid?: number) {
    this.#mark = mark
    this.#uid = uid
    this.#add(first)
    if (uid !== undefined) ProcessTree.#running.add(this)
  }

  /** Scans for children of the known processes. With `everywhere`, also scans all processes of the machine for mark and user. */
  look({ everywhere = false }: { readonly everywhere?: boolean } = {}): readonly number[] {
    if (everywhere) for (const pid of this.#found()) this.#add(pid)
    const open = [...this.#processes.keys()]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      if (startTimeOf(pid) !== this.#processes.get(pid)) {
        this.#processes.delete(pid)
        continue
      }
      for (const child of childrenOf(pid)) {
        if (this.#processes.has(child)) continue
        this.#add(child)
        open.push(child)
      }
    }
    return [...this.#processes.keys()]
  }

  /** The sum of the resident memory, in bytes. */
  memory(): number {
    return this.look().reduce((sum, pid) => sum + memoryOf(pid), 0)
  }

  /** Kills all processes; the tree ends. Repeats the scan, because a process may fork while others are killed. */
  kill(): void {
    ProcessTree.#running.delete(this)
    for (let round = 0; round < maxKillRounds; round++) {
      const members = this.look({ everywhere: true })
      if (members.length === 0) return
      for (const pid of members) kill(pid)
    }
  }

  // A provider may have several trees at once under one user, such as an old and a new version.
  #found(): number[] {
    const marked = processesWithMark(this.#mark)
    const uid = this.#uid
    if (uid === undefined) return marked
    const others = [...ProcessTree.#running].filter((tree) => tree !== this && tree.#uid === uid)
    const members = new Set(others.flatMap((tree) => tree.look()))
    const marks = new Set(others.map((tree) => tree.#mark))
    return [...marked, ...escapedProcesses(uid).filter((pid) => !members.has(pid) && !marks.has(markOf(pid) ?? ''))]
  }

  #add(pid: number): void {
    const startTime = startTimeOf(pid)
    if (startTime !== undefined) this.#processes.set(pid, startTime)
  }
}

/** The tree of a process that an earlier server started, whose launch mark is unknown. */
export function treeOf({ pid }: { readonly pid: number }): ProcessTree {
  return new ProcessTree(pid, '')
}

/** Kills the processes that escaped from providers of an earlier server. No provider with one of these uids may run. */
export function killEscaped(uids: Iterable<number>): void {
  for (const uid of uids) for (const pid of escapedProcesses(uid)) kill(pid)
}

/** The resident memory of one process in bytes; 0 if it is unknown. */
export function memoryOf(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))
  return match === null ? 0 : Number(match[1]) * 1024
}

// Each round kills all processes found, so survivors are at most one generation of forks younger.
const maxKillRounds = 5

// /proc lists children by the thread that forked them.
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
    // The process has exited in the meantime.
  }
}
