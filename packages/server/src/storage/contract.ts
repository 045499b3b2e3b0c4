import type { Key } from './key.ts'

/**
 * What every store promises. This file is the specification: the shared suite in `testing/` tests each sentence, on
 * every backend, and a backend that cannot keep one refuses to start.
 *
 * A store knows keys, revisions and bytes. It does not know what an object is.
 *
 * **Revisions.** One counter for everything, strictly increasing: an empty store is at 0, the first is 1. Every write and every delete takes a
 * revision of its own; those of one group are consecutive. Revisions become visible in order: when a reader has seen
 * revision N, nothing at or below N appears later, with one process or with several on one database. The revision
 * *now* is the last visible one, and never lies inside a group.
 *
 * **Linearizability.** A commit, and a read that names no revision, take effect at one moment between call and answer.
 * What a commit has acknowledged, every later read sees, and it survives `kill -9` of this process and of the database
 * server.
 *
 * **Snapshots.** A read at revision R sees exactly what was visible at R, until R is compacted; then it fails with
 * `expired`. A read above the current revision fails with `future`. Only `get` reaches below the compaction, and only when
 * it names exactly the revision of a value that is still kept.
 *
 * **Spaces.** A key belongs to a space. A space *with history* keeps past values and appears in the log of changes,
 * until compaction; reads at a revision and `changes` work there. A space *without history* keeps only the current value
 * of each key: reads name no revision, and only there `deleteRange` works. One group may touch keys of any spaces.
 *
 * **Groups.** What a group expects is judged by what was there before it. Its operations then happen in their order, so that
 * a range delete spares what the group puts after it. Writing one key twice in a group fails with `invalid`.
 *
 * **Sizes.** A value has at most 3 MiB unless its space allows more, a key at most 4 KiB; larger ones fail with `too-large`, and
 * change nothing.
 */
export interface Store {
  /** The spaces this store was opened with, by name. Using another space fails with `invalid`. */
  readonly spaces: ReadonlyMap<string, Space>

  /**
   * Carries out a group: all of it or nothing. Calls may overlap freely; whatever waits is written together, and the
   * answer comes when it is durable. A failed condition is an answer, not an exception.
   */
  commit(group: Group): Promise<CommitOutcome>

  /** The value of a key now, or at a revision. Deleted and never written look the same: undefined. */
  get(key: Key, options?: ReadOptions): Promise<Entry | undefined>

  /** One page of a range in key order. */
  scan(range: Range, options?: ScanOptions): Promise<Page>

  /**
   * The same page as {@link scan} with the values joined by commas into one run of bytes, assembled as near to the disk
   * as the backend can. Only when every value of the page has the tag {@link JoinOptions.joinTag} in a space that is not encrypted:
   * otherwise undefined, and the caller takes `scan`.
   */
  scanJoined(range: Range, options?: JoinOptions): Promise<JoinedPage | undefined>

  /** How many keys a range holds now. Cheap: a backend does not read values for it. */
  count(range: Range): Promise<number>

  /** The current revision: linearizable, like a read. */
  now(): Promise<Revision>

  /**
   * Every change in spaces with history after a revision, in order, none missing and none twice: first what the log
   * holds, then what is committed while the caller listens, until the signal aborts (then it ends without error). Whole
   * groups only. A batch may hold no changes: it then tells that `revision` was reached and nothing concerned the caller.
   *
   * Any number of followers cost one reading of the log. One that does not take its batches costs no more than a few
   * megabytes and slows nobody; it goes on from the log when it can. Fails with `expired` when it fell behind compaction.
   */
  changes(after: Revision, options?: ChangesOptions): AsyncIterable<ChangeBatch>

  /**
   * Forgets what was superseded at or before a revision: reads below it and followers from before it get `expired`.
   * The values that changes after it replaced stay readable, as previous values. Returns the revision now compacted.
   */
  compact(revision: Revision): Promise<Revision>

  /** Sizes and counters, for metrics and people. */
  statistics(): Promise<Statistics>

  /**
   * Everything that is there at one moment, read while everything goes on: what a backup is made of. Values of encrypted
   * spaces come as they are kept. Each backend has a `restore` that makes a new store of it, whichever it came from. A store
   * without anything at rest refuses (`invalid`), one that is making a snapshot already too (`unavailable`).
   */
  snapshot(): Promise<Snapshot>

  /**
   * Rewrites the stored bytes of encrypted spaces that another than the current key encrypted, in place and at the same
   * revisions, in small steps while everything goes on. Returns how many values it rewrote.
   */
  rotate(options?: RotateOptions): Promise<number>

  /** Ends followers and running work, and lets go of files and connections. Commits already called are still answered. */
  close(): Promise<void>
}

/** A position in the one order of all changes. A safe integer: 2^53 revisions are 285 years at a million a second. */
export type Revision = number

export interface RotateOptions {
  /** Ends it between two steps. */
  readonly signal?: AbortSignal
  /** Called after each step with the number of values rewritten so far. */
  readonly progress?: (rewritten: number) => void
}

/** What keys of a space look like and how they are kept. */
export interface Space {
  readonly name: string
  /** How many segments a key has in it. Prefixes of fewer segments are ranges. */
  readonly segments: number
  /** Whether past values are kept and changes are told. */
  readonly history: boolean
  /** Whether values are encrypted at rest. Default false. */
  readonly encrypted?: boolean
  /** The size of the largest value in bytes, at most {@link maximumSpaceBytes}. Default {@link maximumValueBytes}. */
  readonly largest?: number
  /**
   * The segments whose position a second order begins with: `skip: 3` lets a range fix segment 3 while segments 0 to 2 are
   * anything. Order in such a range is still key order. Default: only ranges that fix the leading segments.
   */
  readonly skip?: number
}

/** Writes and deletes that happen together, and conditions on keys the group does not write. */
export interface Group {
  readonly operations: readonly Operation[]
  /** Conditions that must hold at the moment of the commit for the group to happen. */
  readonly conditions?: readonly Condition[]
}

export type Operation = PutOperation | DeleteOperation | DeleteRangeOperation

/** Writes a value. */
export interface PutOperation {
  readonly kind: 'put'
  readonly key: Key
  /** From the call on, keys and values belong to the store: followers may be given these very bytes. Nobody changes them. */
  readonly value: Uint8Array
  readonly tag?: Tag
  /** Where in `value` the store inserts the decimal digits of the write's revision before it is kept. */
  readonly stamp?: number
  /** Default: any. */
  readonly expect?: Expectation
}

/** Deletes a key. In a space with history, `value` is what followers see as the final bytes (stamped like a put). */
export interface DeleteOperation {
  readonly kind: 'delete'
  readonly key: Key
  readonly value?: Uint8Array
  readonly tag?: Tag
  readonly stamp?: number
  /** Default: any; deleting what is absent under `any` takes a revision and changes nothing else. */
  readonly expect?: Expectation
}

/** Deletes every key of a range, in a space without history. */
export interface DeleteRangeOperation {
  readonly kind: 'delete-range'
  readonly range: Range
}

/** What a key must be: absent, at exactly this revision, present at all, or anything. */
export type Expectation = 'absent' | 'present' | 'any' | Revision

export interface Condition {
  readonly key: Key
  readonly expect: Expectation
}

/** A small number the caller keeps with a value (0 to 2^31-1). Plain values, the default, have 0. */
export type Tag = number

export type CommitOutcome = Committed | Refused

/** The group happened. `revisions` has one for each operation, in order; a range delete has one as a whole. */
export interface Committed {
  readonly kind: 'committed'
  readonly revisions: readonly Revision[]
}

/** Nothing happened, because these keys were not what the group expects. */
export interface Refused {
  readonly kind: 'refused'
  readonly failures: readonly { readonly key: Key; readonly current: Revision | undefined }[]
}

export interface Entry {
  readonly key: Key
  readonly value: Uint8Array
  readonly tag: Tag
  /** The revision of the write that made this value. */
  readonly revision: Revision
}

/**
 * Keys of one space that begin with `prefix` (none: the whole space). Undefined segments are allowed only before the
 * space's `skip` position: `[undefined, undefined, undefined, 'team-a']` is everything whose fourth segment is team-a.
 */
export interface Range {
  readonly space: string
  readonly prefix?: readonly (string | undefined)[]
}

export interface ReadOptions {
  /** Default: now. */
  readonly revision?: Revision
}

export interface ScanOptions extends ReadOptions {
  /** At most this many entries. Default 500. */
  readonly limit?: number
  /** Only keys after this one: the `last` of the page before, at that page's revision. */
  readonly after?: Key
  /** The values are not asked for: they are empty wherever a backend can do without reading them. */
  readonly keysOnly?: boolean
}

export interface JoinOptions extends ScanOptions {
  /** The tag of values that go out as they are. Default 0. */
  readonly joinTag?: Tag
}

export interface Page {
  readonly entries: readonly Entry[]
  /** The revision the page was read at; later pages name it. */
  readonly revision: Revision
  /** The last key when there is more; undefined on the last page. */
  readonly last?: Key
}

export interface JoinedPage {
  readonly bytes: Uint8Array
  readonly count: number
  readonly revision: Revision
  readonly last?: Key
}

export interface ChangesOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /** Only changes in this space. Default: every space with history. */
  readonly space?: string
}

export interface ChangeBatch {
  readonly changes: readonly Change[]
  /** Everything up to here has been told. */
  readonly revision: Revision
}

export interface Change {
  readonly kind: 'put' | 'delete'
  readonly revision: Revision
  readonly key: Key
  /** The new value, or the final bytes of a delete (empty when it gave none). */
  readonly value: Uint8Array
  readonly tag: Tag
  /**
   * The revision this change replaced, undefined for a key that was absent. `get(key, {revision: previous})` reads it
   * as long as the change itself can be read.
   */
  readonly previous: Revision | undefined
}

/** What a store held at one moment. Past values are not in it. */
export interface Snapshot {
  /** The moment. */
  readonly revision: Revision
  /**
   * Some rows at a time, each key once, in any order. To be gone through once; leaving early lets go of it too. It fails at the
   * end at the latest when something is wrong, so that nothing is believed before all of it was read.
   */
  readonly rows: AsyncIterable<readonly StoredRow[]>
}

/** A value as it is kept. */
export interface StoredRow {
  readonly key: Key
  readonly revision: Revision
  readonly tag: Tag
  /** Encrypted where its space is. */
  readonly value: Uint8Array
  /** Whether its space keeps history. */
  readonly history: boolean
}

export interface Statistics {
  readonly now: Revision
  readonly compacted: Revision
  /** Keys present. */
  readonly keys: number
  /** Bytes on disk, or in memory where there is no disk. */
  readonly bytes: number
  readonly followers: number
  /** Backend-specific figures, such as the size of the WAL. */
  readonly details: Readonly<Record<string, number>>
}

export const maximumValueBytes = 3 * 1024 * 1024
/** Every backend can keep, back up and answer a value of this size: the driver of PostgreSQL reads it as text of twice the length. */
export const maximumSpaceBytes = 240 * 1024 * 1024
export const maximumKeyBytes = 4096
export const defaultPageLimit = 500
