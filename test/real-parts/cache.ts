import { mkdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Cache of real parts between runs, outside of the repository. */
export function cacheDirectory(): string {
  const { HYKUBE_CACHE, XDG_CACHE_HOME } = process.env
  const directory = HYKUBE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'hykube', 'real-parts')
  mkdirSync(directory, { recursive: true })
  return directory
}

/** Runs `work` under a lock that other processes respect. */
export async function withCacheLock<T>(cache: string, name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(cache, `${name}.lock`)
  while (!tryLock(lock)) await sleep(200)
  try {
    return await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const staleAfter = 30 * 60_000

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - made > staleAfter) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
