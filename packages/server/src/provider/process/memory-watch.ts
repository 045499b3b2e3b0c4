import { readFile } from 'node:fs/promises'

/** The memory of a process in bytes; undefined when it can't be known. */
export async function memoryOf(pid: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))
    return match === null ? undefined : Number(match[1]) * 1024
  } catch {
    return undefined
  }
}

/** Looks at a process's memory again and again, until it is too much or the function returned is called. */
export function watchMemory(
  pid: number,
  { limit, interval }: { readonly limit: number; readonly interval: number },
  onExcess: (used: number) => void,
): () => void {
  const timer = setInterval(() => {
    void memoryOf(pid).then((used) => {
      if (used === undefined || used <= limit) return
      clearInterval(timer)
      onExcess(used)
    })
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}
