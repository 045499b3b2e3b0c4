import type { ProcessTree } from './process-tree.ts'

/** Polls the memory of a process tree until it exceeds the limit or the returned function is called. */
export function watchMemory(
  tree: ProcessTree,
  { limit, interval }: { readonly limit: number; readonly interval: number },
  onExcess: (used: number) => void,
): () => void {
  if (process.platform !== 'linux') return () => {}
  let ticks = 0
  const timer = setInterval(() => {
    // Scanning every process of the machine is expensive; it finds children that were re-parented between two ticks.
    if (ticks++ % fullScanInterval === 0) tree.look({ everywhere: true })
    const used = tree.memory()
    if (used <= limit) return
    clearInterval(timer)
    onExcess(used)
  }, interval)
  timer.unref()
  return () => clearInterval(timer)
}

// In ticks.
const fullScanInterval = 20
