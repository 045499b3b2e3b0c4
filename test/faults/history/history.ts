/**
 * Observations of all clients and followers of a store. Keys are text, `<space>/<name>`. Every written value is unique,
 * so that it identifies its writer. Ticks come from one counter in the recording process: if a call ended before
 * another started, its `end` is below the other's `start`.
 */
export interface History {
  readonly calls: readonly Call[]
  readonly followers: readonly Follower[]
  /** All changes, as received by a follower that ran from the beginning without interruption. */
  readonly log: readonly LoggedChange[]
  /** State that a new reader found at the end. */
  readonly final: Snapshot
  /** Spaces without history, whose writes are not in the log. */
  readonly spacesWithoutHistory: readonly string[]
}

export type Call = CommitCall | GetCall | ScanCall | NowCall

interface Timed {
  readonly client: number
  readonly start: number
  /** Undefined when no response arrived. */
  readonly end?: number
}

export interface CommitCall extends Timed {
  readonly kind: 'commit'
  readonly operations: readonly WrittenOperation[]
  readonly conditions?: readonly { readonly key: string; readonly expect: Expected }[]
  readonly outcome: CommitResult
}

export interface WrittenOperation {
  readonly kind: 'put' | 'delete'
  readonly key: string
  /** For a delete, its final bytes. */
  readonly value: string
  readonly expect: Expected
}

export type Expected = 'absent' | 'present' | 'any' | number

export type CommitResult =
  | { readonly kind: 'committed'; readonly revisions: readonly number[] }
  | { readonly kind: 'refused'; readonly failures: readonly { readonly key: string; readonly current?: number }[] }
  /** The store reported that nothing was written. */
  | { readonly kind: 'failed' }
  /** Unknown: reported by the store, or its process ended. */
  | { readonly kind: 'unknown' }

export interface GetCall extends Timed {
  readonly kind: 'get'
  readonly key: string
  /** Requested revision; undefined for the current one. */
  readonly at?: number
  /** Undefined when the call failed. */
  readonly found?: { readonly revision: number; readonly value: string } | 'absent'
}

export interface ScanCall extends Timed {
  readonly kind: 'scan'
  /** Common prefix of the requested keys. */
  readonly prefix: string
  readonly at?: number
  /** Undefined when the call failed. */
  readonly found?: Snapshot
}

export interface NowCall extends Timed {
  readonly kind: 'now'
  /** Undefined when the call failed. */
  readonly revision?: number
}

export interface Snapshot {
  readonly revision: number
  readonly entries: readonly { readonly key: string; readonly revision: number; readonly value: string }[]
}

/** One follower over all its reconnections, each continuing after the last received revision. */
export interface Follower {
  readonly name: string
  /** Revision after which it started. */
  readonly after: number
  readonly changes: readonly LoggedChange[]
  /** Last revision it reached. */
  readonly reached: number
}

export interface LoggedChange {
  readonly kind: 'put' | 'delete'
  readonly revision: number
  readonly key: string
  readonly value: string
  readonly previous?: number
}

/** A violated guarantee. */
export interface Violation {
  readonly kind: ViolationKind
  readonly message: string
}

export type ViolationKind =
  /** An acknowledged write is missing or differs. */
  | 'lost'
  /** A write took effect more than once. */
  | 'doubled'
  /** A write that was rejected, failed or never sent took effect. */
  | 'ghost'
  /** A group took effect in part, or its revisions are not consecutive. */
  | 'torn'
  /** A write took effect although its condition was false. */
  | 'lost-update'
  /** Revisions contradict the order of the log, or the order in which calls were answered. */
  | 'reordered'
  /** A read returned a state that did not exist between its start and end. */
  | 'stale'
  /** A follower missed a change. */
  | 'missed'
  /** A follower received a change twice, a different one, or one that does not exist. */
  | 'false-change'

/** Returns the space of a key. */
export function spaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}
