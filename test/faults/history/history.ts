/**
 * What clients and followers of a store saw, written down as they saw it. Keys are text, `<space>/<name>`; every value
 * that a client writes is different from every other, so that a value tells who wrote it. Ticks come from one counter
 * of the recording process: a call that ended before another began has an `end` below the other's `start`.
 */
export interface History {
  readonly calls: readonly Call[]
  readonly followers: readonly Follower[]
  /** Every change, as a follower from the beginning saw it that was there all the time. */
  readonly log: readonly LoggedChange[]
  /** What a new reader found after everything ended. */
  readonly final: Snapshot
  /** Spaces that keep no history: their writes are in no log. */
  readonly spacesWithoutHistory: readonly string[]
}

export type Call = CommitCall | GetCall | ScanCall | NowCall

interface Timed {
  readonly client: number
  readonly start: number
  /** Missing when no answer ever came. */
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
  /** Of a delete: its final bytes. */
  readonly value: string
  readonly expect: Expected
}

export type Expected = 'absent' | 'present' | 'any' | number

export type CommitResult =
  | { readonly kind: 'committed'; readonly revisions: readonly number[] }
  | { readonly kind: 'refused'; readonly failures: readonly { readonly key: string; readonly current?: number }[] }
  /** The store said that nothing happened. */
  | { readonly kind: 'failed' }
  /** Nobody knows: the store said so, or its process ended. */
  | { readonly kind: 'unknown' }

export interface GetCall extends Timed {
  readonly kind: 'get'
  readonly key: string
  /** The revision asked for; missing for now. */
  readonly at?: number
  /** Missing when the call failed. */
  readonly found?: { readonly revision: number; readonly value: string } | 'absent'
}

export interface ScanCall extends Timed {
  readonly kind: 'scan'
  /** The keys asked for begin with this. */
  readonly prefix: string
  readonly at?: number
  /** Missing when the call failed. */
  readonly found?: Snapshot
}

export interface NowCall extends Timed {
  readonly kind: 'now'
  /** Missing when the call failed. */
  readonly revision?: number
}

export interface Snapshot {
  readonly revision: number
  readonly entries: readonly { readonly key: string; readonly revision: number; readonly value: string }[]
}

/** One follower through all its reconnections, each going on after the last revision it was told. */
export interface Follower {
  readonly name: string
  /** The revision it began after. */
  readonly after: number
  readonly changes: readonly LoggedChange[]
  /** The last revision it was told. */
  readonly reached: number
}

export interface LoggedChange {
  readonly kind: 'put' | 'delete'
  readonly revision: number
  readonly key: string
  readonly value: string
  readonly previous?: number
}

/** A promise that was broken. */
export interface Violation {
  readonly kind: ViolationKind
  readonly message: string
}

export type ViolationKind =
  /** An acknowledged write is gone, or is not what was acknowledged. */
  | 'lost'
  /** A write happened more than once. */
  | 'doubled'
  /** A write that was refused, failed or never asked for is there. */
  | 'ghost'
  /** Half of a group happened, or its revisions do not follow each other. */
  | 'torn'
  /** A write happened although its condition did not hold. */
  | 'lost-update'
  /** Revisions contradict the order of the log or the order in which calls were answered. */
  | 'reordered'
  /** A read saw what no moment between its call and its answer had. */
  | 'stale'
  /** A follower missed a change. */
  | 'missed'
  /** A follower saw a change twice, another one, or none that there was. */
  | 'false-change'

/** The space of a key. */
export function spaceOf(key: string): string {
  return key.slice(0, key.indexOf('/'))
}
