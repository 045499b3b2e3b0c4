import type { ProcessFamily } from './process-family.ts'

/** Measures the memory of a process and all that it started at intervals, until it is too much or the returned function is called. */
export function watchMemory(
  family: ProcessFamily,
  { limit, interval }: { readonly limit: number; readonly interval: number },
  onExcess: (used: number) => void,
): () => void {
  if (process.platform !== 'linux') return () => {}
  let ticks = 0
  const timer = setInterval(() => {
    // Looking at every process of the machine costs more, and is needed only for those that left the tree between two ticks.
    if (ticks++ % everywhereEvery === 0) family.look({ everywhere: true })
    const used = family.memory()
    if (used <= limit) return
    clearInterval(timer)
    onExcess(used)
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}

const everywhereEvery = 20
