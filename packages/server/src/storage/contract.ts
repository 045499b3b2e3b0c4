import type { Key } from './key.ts'

/**
 * The contract of every store. The shared suite in `testing/` tests each sentence on every backend, and a backend that
 * cannot guarantee one refuses to start.
 *
 * A store knows keys, revisions and bytes, and no Kubernetes objects.
 *
 * **Revisions.** One strictly increasing counter for everything: an empty store is at 0, the first revision is 1. Every
 * put and every delete gets its own revision; those of one group are consecutive. Revisions become visible in order:
 * when a reader has seen revision N, nothing at or below N appears later, with one process or several on one database.
 * The current revision is the last visible one, and is always the end of a group.
 *
 * **Linearizability.** A commit, and a read without a revision, take effect at one moment between call and result.
 * Every later read sees an acknowledged commit, which survives `kill -9` of this process and of the database server.
 *
 * **Snapshots.** A read at revision R returns exactly the values visible at R, until R is compacted; then it fails with
 * `expired`. A read above the current revision fails with `future`. Only `get` can read below the compaction, and only
 * at the exact revision of a value that is still kept.
 *
 * **Spaces.** A key belongs to a space. A space *with history* keeps past values and appears in the log of changes
 * until compaction; reads at a revision and `changes` work there. A space *without history* keeps only the current
 * value of each key: reads have no revision, and only there `deleteRange` works. One group may contain keys of any
 * spaces.
 *
 * **Groups.** Expectations of a group are checked against the state before it. Its operations are then applied in
 * order, so that a range delete does not remove keys that the group puts later. Writing one key twice in a group fails
 * with `invalid`.
 *
 * **Sizes.** A value has at most 3 MiB unless its space allows more, a key at most 4 KiB; larger ones fail with
 * `too-large` and change nothing.
 */
export interface Store {
  /** Spaces that this store was opened with, by name. Using another space fails with `invalid`. */
  readonly spaces: ReadonlyMap<string, Space>

  /**
   * Commits a group atomically. Calls may overlap; waiting groups are written together, and the promise resolves when
   * the group is durable. A failed condition is a result, not an exception.
   */
  commit(group: Group): Promise<CommitOutcome>

  /** Returns the value of a key now, or at a revision; undefined for a deleted key and for one that never existed. */
  get(key: Key, options?: ReadOptions): Promise<Entry | undefined>

  /** Returns one page of a range in key order. */
  scan(range: Range, options?: ScanOptions): Promise<Page>

  /**
   * Like {@link scan}, with the values joined by commas into one buffer, close to the disk. Returns undefined unless
   * every value of the page has the tag {@link JoinOptions.joinTag} and the space is not encrypted; the caller then
   * uses `scan`.
   */
  scanJoined(range: Range, options?: JoinOptions): Promise<JoinedPage | undefined>

  /** Number of keys in a range now. Reads no values. */
  count(range: Range): Promise<number>

  /** Current revision; linearizable like a read. */
  now(): Promise<Revision>

  /**
   * Every change in spaces with history after a revision, in order, none missing and none twice: first from the log,
   * then as commits happen, until the signal aborts (then the iteration ends without error). Batches contain whole
   * groups. An empty batch reports that `revision` was reached without changes for the caller.
   *
   * Any number of followers cost one read of the log. A follower that does not consume its batches costs at most a few
   * megabytes and delays no other follower; it continues from the log. Fails with `expired` when the follower is behind
   * compaction.
   */
  changes(after: Revision, options?: ChangesOptions): AsyncIterable<ChangeBatch>

  /**
   * Drops values superseded at or before a revision: reads below it and followers before it fail with `expired`. Values
   * replaced by later changes stay readable as previous values. Returns the compacted revision.
   */
  compact(revision: Revision): Promise<Revision>

  /** Sizes and counters for metrics. */
  statistics(): Promise<Statistics>

  /**
   * A consistent copy of all current values for a backup, read without blocking writes. Values of encrypted spaces stay
   * encrypted. Every backend's `restore` creates a store from a snapshot of any backend. A store without persistence
   * fails with `invalid`, one that is already creating a snapshot with `unavailable`.
   */
  snapshot(): Promise<Snapshot>

  /**
   * Re-encrypts values of encrypted spaces that do not use the current key, in place and at the same revisions, in
   * small steps without blocking other calls. Returns the number of rewritten values.
   */
  rotate(options?: RotateOptions): Promise<number>

  /** Ends followers and background work, and closes files and connections. Pending commits still get their result. */
  close(): Promise<void>
}

/** A position in the total order of changes. A safe integer: 2^53 revisions last 285 years at a million a second. */
export type Revision = number

export interface RotateOptions {
  /** Stops between two steps. */
  readonly signal?: AbortSignal
  /** Called after each step with the number of values rewritten so far. */
  readonly progress?: (rewritten: number) => void
}

/** A set of keys with the same layout and storage options. */
export interface Space {
  readonly name: string
  /** Number of segments of a key. Prefixes with fewer segments are ranges. */
  readonly segments: number
  /** True when past values are kept and changes are delivered to followers. */
  readonly history: boolean
  /** True when values are encrypted at rest. Default false. */
  readonly encrypted?: boolean
  /** Size limit of a value in bytes, at most {@link maximumSpaceBytes}. Default {@link maximumValueBytes}. */
  readonly largest?: number
  /**
   * Adds an index that starts at this segment: with `skip: 3` a range can fix segment 3 and leave segments 0 to 2 open.
   * Results are still in key order. Default: a range must fix its leading segments.
   */
  readonly skip?: number
}

/** Operations that are applied atomically, and conditions on keys that the group does not write. */
export interface Group {
  readonly operations: readonly Operation[]
  /** Conditions that must hold when the group is committed. */
  readonly conditions?: readonly Condition[]
}

export type Operation = PutOperation | DeleteOperation | DeleteRangeOperation

/** Writes a value. */
export interface PutOperation {
  readonly kind: 'put'
  readonly key: Key
  /**
   * After the call, keys and values belong to the store, which may hand the same bytes to followers. No one may modify
   * them.
   */
  readonly value: Uint8Array
  readonly tag?: Tag
  /** Offset in `value` where the store inserts the decimal digits of the revision. */
  readonly stamp?: number
  /** Default: any. */
  readonly expect?: Expectation
}

/** Deletes a key. In a space with history, followers get `value` as the final bytes (stamped like a put). */
export interface DeleteOperation {
  readonly kind: 'delete'
  readonly key: Key
  readonly value?: Uint8Array
  readonly tag?: Tag
  readonly stamp?: number
  /** Default: any. Deleting an absent key then takes a revision and changes nothing else. */
  readonly expect?: Expectation
}

/** Deletes every key of a range in a space without history. */
export interface DeleteRangeOperation {
  readonly kind: 'delete-range'
  readonly range: Range
}

/** Required state of a key: absent, present, at exactly this revision, or any. */
export type Expectation = 'absent' | 'present' | 'any' | Revision

export interface Condition {
  readonly key: Key
  readonly expect: Expectation
}

/** A small number stored with a value (0 to 2^31-1). Default 0. */
export type Tag = number

export type CommitOutcome = Committed | Refused

/** The group was committed. `revisions` has one entry per operation, in order; a range delete has one. */
export interface Committed {
  readonly kind: 'committed'
  readonly revisions: readonly Revision[]
}

/** Nothing was written, because these keys did not satisfy the group's expectations. */
export interface Refused {
  readonly kind: 'refused'
  readonly failures: readonly { readonly key: Key; readonly current: Revision | undefined }[]
}

export interface Entry {
  readonly key: Key
  readonly value: Uint8Array
  readonly tag: Tag
  /** Revision of the write that created this value. */
  readonly revision: Revision
}

/**
 * Keys of one space with a prefix (default: the whole space). Undefined segments are allowed only before the space's
 * `skip` position: `[undefined, undefined, undefined, 'team-a']` matches every key whose fourth segment is team-a.
 */
export interface Range {
  readonly space: string
  readonly prefix?: readonly (string | undefined)[]
}

export interface ReadOptions {
  /** Default: the current revision. */
  readonly revision?: Revision
}

export interface ScanOptions extends ReadOptions {
  /** Maximum number of entries. Default 500. */
  readonly limit?: number
  /** Only keys after this one: `last` of the previous page, with that page's revision. */
  readonly after?: Key
  /** Values are not needed: they are empty where the backend can avoid reading them. */
  readonly keysOnly?: boolean
}

export interface JoinOptions extends ScanOptions {
  /** Tag of values that can be joined. Default 0. */
  readonly joinTag?: Tag
}

export interface Page {
  readonly entries: readonly Entry[]
  /** Revision of the page; pass it when reading the next page. */
  readonly revision: Revision
  /** Last key when there are more; undefined on the last page. */
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
  /** All changes up to this revision were delivered. */
  readonly revision: Revision
}

export interface Change {
  readonly kind: 'put' | 'delete'
  readonly revision: Revision
  readonly key: Key
  /** New value, or the final bytes of a delete (empty when none were given). */
  readonly value: Uint8Array
  readonly tag: Tag
  /**
   * Revision that this change replaced; undefined when the key was absent. `get(key, {revision: previous})` returns
   * that value as long as this change can be read.
   */
  readonly previous: Revision | undefined
}

/** Current values of a store at one revision, without history. */
export interface Snapshot {
  /** Revision of the snapshot. */
  readonly revision: Revision
  /**
   * Batches of rows, each key once, in any order. Iterate once; ending early releases the snapshot. Errors are thrown
   * at the latest after the last row, so use nothing before the iteration has ended.
   */
  readonly rows: AsyncIterable<readonly StoredRow[]>
}

/** A value as stored. */
export interface StoredRow {
  readonly key: Key
  readonly revision: Revision
  readonly tag: Tag
  /** Encrypted when its space is. */
  readonly value: Uint8Array
  /** True when its space keeps history. */
  readonly history: boolean
}

export interface Statistics {
  readonly now: Revision
  readonly compacted: Revision
  /** Number of existing keys. */
  readonly keys: number
  /** Bytes on disk, or in memory for the memory store. */
  readonly bytes: number
  readonly followers: number
  /** Backend-specific numbers, such as the size of the WAL. */
  readonly details: Readonly<Record<string, number>>
}

export const maximumValueBytes = 3 * 1024 * 1024
/**
 * Every backend can store, back up and return a value of this size; the PostgreSQL driver reads it as text of twice the
 * length.
 */
export const maximumSpaceBytes = 240 * 1024 * 1024
export const maximumKeyBytes = 4096
export const defaultPageLimit = 500
