import { abortable, type Clock, systemClock } from '@hykube/machinery/base'
import type { Revision, Statistics, Store } from './contract.ts'

export interface CompactionPolicy {
  /** The past is kept this long. Default and least: 5 minutes, so that a watch can be resumed after a pause. */
  readonly keepMilliseconds?: number
  /** Above this size compaction keeps only the least. Default: no bound. */
  readonly mostBytes?: number
  /** How often is looked. Default: a tenth of the least. */
  readonly everyMilliseconds?: number
}

export interface CompactionOptions extends CompactionPolicy {
  readonly signal: AbortSignal
  /** Default: the machine's time. */
  readonly clock?: Clock
  /** Told when a compaction fails; it is tried again. Default: nobody. */
  readonly report?: (message: string) => void
}

/** No change younger than this is ever compacted. */
export const leastKeptMilliseconds = 5 * 60_000

/**
 * Compacts a store by age and size until the signal aborts. Revisions carry no time, so it notes the current one now and
 * then, and compacts to the newest note that is old enough; what a restart forgets is only that some of it was older.
 */
export async function runCompaction(store: Store, options: CompactionOptions): Promise<void> {
  const { signal, clock = systemClock, report = () => {} } = options
  const { keep, every } = complete(options)
  let notes: Note[] = []
  while (!signal.aborted) {
    try {
      const statistics = await abortable(store.statistics(), signal)
      notes.push({ time: clock.monotonic(), revision: statistics.now })
      const age = isTooLarge(statistics, options) ? leastKeptMilliseconds : keep
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
    keep: Math.max(leastKeptMilliseconds, keepMilliseconds ?? leastKeptMilliseconds),
    every: everyMilliseconds ?? leastKeptMilliseconds / 10,
  }
}

function isTooLarge({ bytes }: Statistics, { mostBytes = Number.POSITIVE_INFINITY }: CompactionPolicy): boolean {
  return bytes > mostBytes
}

function newestBefore(notes: readonly Note[], time: number): Revision | undefined {
  return notes.findLast((note) => note.time <= time)?.revision
}
