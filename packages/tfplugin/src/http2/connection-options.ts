import type { FloodLimits } from './flood-guard.ts'
import { defaultWindow } from './frame.ts'

export interface ConnectionOptions {
  readonly role: 'client' | 'server'
  /** How many streams the other side may have open at once. Default 1,000. */
  readonly maxStreams?: number
  /** How much the other side may send on a stream before somebody reads it. Default 1 MiB. */
  readonly streamWindow?: number
  /** How much the other side may send on all streams before it is told to go on. Default 16 MiB. */
  readonly connectionWindow?: number
  /** The table that repeated headers of the other side are kept in. Default 0: then equal headers are equal bytes, and remembered as such. */
  readonly headerTable?: number
  /** The most that the headers of one message may unpack to. Default 64 KiB. */
  readonly largestHeaders?: number
  /** The most that may wait here for the other side to take it; more than that ends the connection. Default: no bound. */
  readonly largestQueue?: number
  /** How often the other side may do what only costs. Default: as often as it likes. */
  readonly floodLimits?: FloodLimits
}

export type CompleteConnectionOptions = Required<Omit<ConnectionOptions, 'floodLimits'>> &
  Pick<ConnectionOptions, 'floodLimits'>

export function completeConnectionOptions(given: ConnectionOptions): CompleteConnectionOptions {
  return {
    maxStreams: 1000,
    streamWindow: 1 << 20,
    headerTable: 0,
    largestHeaders: 1 << 16,
    largestQueue: Number.POSITIVE_INFINITY,
    ...given,
    connectionWindow: Math.max(given.connectionWindow ?? 1 << 24, defaultWindow),
  }
}
