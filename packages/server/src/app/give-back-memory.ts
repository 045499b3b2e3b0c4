import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Runs the garbage collector. Call it after a large one-time operation: on an idle server its garbage would stay, because V8 collects only
 * when the heap grows. Takes some ten milliseconds.
 */
export function giveBackMemory(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  collect()
}

let collect: (() => void) | undefined
