import { abortReason, onAbort } from '@hykube/machinery/base'
import type { Revision } from '../storage/index.ts'
import type { ObservedChange } from './observed-change.ts'

/** The recent changes of one resource, oldest first, and those who wait for the next. */
export class Topic {
  /** How many reading places there are. Nobody's topic is forgotten. */
  subscribers = 0
  /** Every change of the resource after this revision is in `#changes`. */
  #floor: Revision
  #changes: ObservedChange[] = []
  #bytes = 0
  #waiting: (() => void)[] = []

  constructor(floor: Revision) {
    this.#floor = floor
  }

  /** Whether nothing after a revision has been forgotten. */
  knows(after: Revision): boolean {
    return after >= this.#floor
  }

  hasAfter(revision: Revision): boolean {
    return (this.#changes.at(-1)?.revision ?? 0) > revision
  }

  /** The changes after a revision that this topic knows. */
  after(revision: Revision): readonly ObservedChange[] {
    const changes = this.#changes
    let low = 0
    let high = changes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (changes[middle]!.revision <= revision) low = middle + 1
      else high = middle
    }
    return low === 0 ? changes.slice() : changes.slice(low)
  }

  add(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      this.#changes.push(change)
      this.#bytes += change.bytes.length
    }
    this.#trim()
    this.wake()
  }

  wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Waits for the next change. */
  changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortReason(signal))
      const wake = () => {
        release()
        resolve()
      }
      const release = onAbort(signal, () => {
        this.#waiting = this.#waiting.filter((other) => other !== wake)
        reject(abortReason(signal))
      })
      this.#waiting.push(wake)
    })
  }

  // Dropped in larger steps, so that the list is not copied for every change.
  #trim(): void {
    if (this.#changes.length <= maximumChanges * 1.5 && this.#bytes <= maximumBytes * 1.5) return
    let dropped = 0
    while (this.#changes.length - dropped > maximumChanges || this.#bytes > maximumBytes) {
      this.#bytes -= this.#changes[dropped]!.bytes.length
      dropped++
    }
    this.#floor = this.#changes[dropped - 1]!.revision
    this.#changes = this.#changes.slice(dropped)
  }
}

const maximumChanges = 4096
const maximumBytes = 4 * 1024 * 1024
