import { readdirSync, readFileSync } from 'node:fs'

/**
 * The processes of a provider's own user that left the tree of their provider: the parent of the topmost process of that user is
 * no server, but a process that adopts orphans. Only ancestors of this process adopt orphans of its children: init, or a
 * subreaper such as a service manager. Linux only. Includes the root process of each tree if this process is init.
 */
export function escapedProcesses(uid: number): number[] {
  if (process.platform !== 'linux') return []
  const all = new Map(pids().flatMap((pid) => factsOf(pid)))
  const adopters = ancestorsOf(process.pid, all)
  return [...all.keys()].filter((pid) => {
    if (!all.get(pid)!.uids.includes(uid)) return false
    return adopters.has(parentOfTopmost(pid, uid, all))
  })
}

interface ProcessFacts {
  readonly parent: number
  /** The real, effective, saved and file system uid. */
  readonly uids: readonly number[]
}

type Processes = ReadonlyMap<number, ProcessFacts>

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger)
}

// The owner of /proc/PID is no substitute: it is root if the process has forbidden core dumps.
function factsOf(pid: number): [number, ProcessFacts][] {
  let status: string
  try {
    status = readFileSync(`/proc/${pid}/status`, 'latin1')
  } catch {
    return []
  }
  const parent = /^PPid:\t(\d+)$/m.exec(status)
  const uids = /^Uid:\t(.+)$/m.exec(status)
  if (parent === null || uids === null) return []
  return [[pid, { parent: Number(parent[1]), uids: uids[1]!.split('\t').map(Number) }]]
}

function ancestorsOf(pid: number, all: Processes): ReadonlySet<number> {
  const ancestors = new Set<number>()
  for (let at = pid; at !== 0 && !ancestors.has(at); at = all.get(at)?.parent ?? 0) ancestors.add(at)
  // A server that is not init has providers as children, and adopts no orphans.
  if (pid !== 1) ancestors.delete(pid)
  return ancestors
}

function parentOfTopmost(pid: number, uid: number, all: Processes): number {
  const seen = new Set<number>()
  let at = pid
  while (!seen.has(at) && all.get(at)?.uids.includes(uid) === true) {
    seen.add(at)
    at = all.get(at)!.parent
  }
  return at
}
