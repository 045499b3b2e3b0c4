import { defaultWindow } from '../frames/index.ts'
import { ConnectionScheduler } from './connection-scheduler.ts'
import type { FloodLimits } from './flood-guard.ts'

export interface ConnectionOptions {
  readonly role: 'client' | 'server'
  /** Streams the peer may have open at once. Default 1,000. */
  readonly maxStreams?: number
  /** Receive window of a stream in bytes: data the peer may send before the handler consumes it. Default 1 MiB. */
  readonly streamWindow?: number
  /** Receive window of the connection in bytes, over all streams. Default 16 MiB. */
  readonly connectionWindow?: number
  /**
   * Size of the HPACK dynamic table offered to the peer. Default 0: then equal header blocks are equal bytes, and the
   * decoder caches whole blocks.
   */
  readonly headerTable?: number
  /** Maximum decoded size of one message's headers in bytes, counted as in RFC 7541. Default 64 KiB. */
  readonly largestHeaders?: number
  /** Maximum bytes queued for a peer that does not read; above it the connection fails. Default: unlimited. */
  readonly largestQueue?: number
  /** Shares the event loop with other connections. Default: a scheduler for this connection only. */
  readonly scheduler?: ConnectionScheduler
  /** Rate limit for frames that are cheap to send and expensive to handle. Default: unlimited. */
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
    scheduler: given.scheduler ?? new ConnectionScheduler(),
    connectionWindow: Math.max(given.connectionWindow ?? 1 << 24, defaultWindow),
  }
}
