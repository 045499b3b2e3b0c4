import { abortable, type Clock, systemClock } from '@hykube/machinery/base'
import type { Revision, Statistics, Store } from './contract.ts'

export interface CompactionPolicy {
  /** Minimum age of compacted revisions. Default and minimum: 5 minutes, so that a watch can resume after a pause. */
  readonly keepMilliseconds?: number
  /** Above this size compaction keeps only the minimum age. Default: unlimited. */
  readonly maxBytes?: number
  /** Interval between compactions. Default: a tenth of the minimum age. */
  readonly everyMilliseconds?: number
}

export interface CompactionOptions extends CompactionPolicy {
  readonly signal: AbortSignal
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Called when a compaction fails; it is retried. Default: not reported. */
  readonly report?: (message: string) => void
}

/** No younger change is ever compacted. */
export const minimumKeptMilliseconds = 5 * 60_000

/**
 * Compacts a store by age and size until the signal aborts. Revisions have no time, so it records the current revision
 * at intervals and compacts to the newest record that is old enough. The records are lost on restart, which only delays
 * compaction.
 */
export async function runCompaction(store: Store, options: CompactionOptions): Promise<void> {
  const { signal, clock = systemClock, report = () => {} } = options
  const { keep, every } = complete(options)
  let notes: Note[] = []
  while (!signal.aborted) {
    try {
      const statistics = await abortable(store.statistics(), signal)
      notes.push({ time: clock.monotonic(), revision: statistics.now })
      const age = isTooLarge(statistics, options) ? minimumKeptMilliseconds : keep
      const due = newestBefore(notes, clock.monotonic() - age)
      if (due !== undefined && due > statistics.compacted) await store.compact(due)
      notes = notes.filter((note) => note.time > clock.monotonic() - keep - every)
    } catch (error) {
      if (!signal.aborted) report(`cannot compact: ${String(error)}`)
    }
    await clock.sleep(every, signal).catch(() => {})
  }
}

interface Note {
  readonly time: number
  readonly revision: Revision
}

function complete({ keepMilliseconds, everyMilliseconds }: CompactionPolicy): {
  readonly keep: number
  readonly every: number
} {
  return {
    keep: Math.max(minimumKeptMilliseconds, keepMilliseconds ?? minimumKeptMilliseconds),
    every: everyMilliseconds ?? minimumKeptMilliseconds / 10,
  }
}

function isTooLarge({ bytes }: Statistics, { maxBytes = Number.POSITIVE_INFINITY }: CompactionPolicy): boolean {
  return bytes > maxBytes
}

function newestBefore(notes: readonly Note[], time: number): Revision | undefined {
  return notes.findLast((note) => note.time <= time)?.revision
}
