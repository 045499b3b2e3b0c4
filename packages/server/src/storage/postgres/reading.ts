import type { Entry, Page, Revision, Space } from '../contract.ts'
import type { RefreshableSealer } from '../encryption/ring-sealer.ts'
import type { Sealer } from '../encryption/sealer.ts'
import { compareKeys, type Key } from '../key.ts'
import { type KeyRange, type KeySpan, nextSpan, rangeHolds } from '../key-range.ts'
import { checkReached, expiredAt } from '../revision-check.ts'
import type { ReaderPool } from './reader-pool.ts'
import type { Queryable, Statement } from './session.ts'
import { rowKind, type Statements } from './statements.ts'
import type { CounterState, StoreIdentity } from './store-identity.ts'
import { bigIntegers, byteArrays } from './wire.ts'

/** A scan with all defaults. */
export interface ScanRequest {
  readonly range: KeyRange
  readonly limit: number
  readonly after: Key | undefined
  readonly revision: Revision | undefined
}

/** Reads keys and ranges, now and at revisions. */
export class Reading {
  readonly #pool: ReaderPool
  readonly #statements: Statements
  readonly #sealer: (Sealer & Partial<RefreshableSealer>) | undefined
  readonly #compacted: (compacted: Revision) => void
  readonly #identity: StoreIdentity

  /** `compacted` is called with the compacted revision whenever a read returns it. */
  constructor(
    pool: ReaderPool,
    statements: Statements,
    sealer: Sealer | undefined,
    identity: StoreIdentity,
    compacted: (compacted: Revision) => void,
  ) {
    this.#pool = pool
    this.#statements = statements
    this.#sealer = sealer
    this.#identity = identity
    this.#compacted = compacted
  }

  /** Reads the counter with one statement, so its snapshot is newer than the call. */
  async counter(): Promise<Counter> {
    const { seen } = this.#identity
    const [counter] = await this.#pool
      .query<CounterRow>(this.#statements.counter, [seen.batch])
      .catch((error: unknown) => {
        throw this.#identity.failureFor(error)
      })
    this.#identity.check(counter, seen)
    this.#compacted(counter!.compacted)
    return counter!
  }

  async get(space: Space, key: Key): Promise<Entry | undefined> {
    const statement = space.history ? this.#statements.get : this.#statements.getPlain
    const [row] = await this.#pool.query<Stored>(statement, [key])
    return row && this.open(space, { key, ...row })
  }

  async getAt(space: Space, key: Key, revision: Revision): Promise<Entry | undefined> {
    const { seen } = this.#identity
    const [row] = await this.#pool.query<GetAtRow>(this.#statements.getAt, [key, revision])
    this.#identity.checkRevision(row?.now, seen)
    const { now, compacted } = row!
    this.#compacted(compacted)
    checkReached(revision, now)
    const exact = row!.exact_key !== null && compareKeys(row!.exact_key, key) === 0
    if (exact && row!.exact_kind !== rowKind.delete) {
      return this.open(space, { key, revision, tag: row!.tag, value: row!.value })
    }
    if (revision < compacted) throw expiredAt(revision, compacted)
    if (exact || row!.revision === null) return undefined
    const found = await this.#walkBack(this.#pool, [row!.revision], revision)
    const version = found.get(row!.revision)
    return version && this.open(space, { key, ...version })
  }

  /** Reads one page. A span takes one statement; a range with open segments takes several on one snapshot. */
  async scan(space: Space, request: ScanRequest): Promise<Page> {
    if (request.range.pattern.length > 0)
      return this.#pool.snapshot((query) => this.#scanPattern(query, space, request))
    const first = await this.#scanSpan(space, request, spanAfter(request.range.whole, request.after))
    const entries = first.entries
    let { rest } = first
    // Rows that did not exist at the revision leave the page short; it is filled from the rows that follow.
    while (entries.length <= request.limit && rest !== undefined) {
      const more = await this.#scanSpan(space, { ...request, revision: first.revision }, rest)
      entries.push(...more.entries)
      rest = more.rest
    }
    return pageOf(entries, first.revision, request.limit)
  }

  async count(space: Space, range: KeyRange): Promise<number> {
    if (range.pattern.length > 0) {
      return this.#pool.snapshot(async (query) => (await this.#matchingKeys(query, space, range)).length)
    }
    const statement = space.history ? this.#statements.countCurrent : this.#statements.countPlain
    const [row] = await this.#pool.query<{ count: number }>(statement, [range.whole.lower, range.whole.upper])
    return row!.count
  }

  /** Decrypts a value. When its data key is unknown, the ring is refreshed once. */
  async open(space: Space, entry: Entry): Promise<Entry> {
    if (space.encrypted !== true) return entry
    try {
      return { ...entry, value: this.#sealer!.open(entry.key, entry.revision, entry.value) }
    } catch (error) {
      if (this.#sealer!.refresh === undefined) throw error
      // Retried in any case: a concurrent read may have refreshed the ring in the meantime.
      await this.#sealer!.refresh()
      return { ...entry, value: this.#sealer!.open(entry.key, entry.revision, entry.value) }
    }
  }

  async #scanSpan(
    space: Space,
    { limit, revision }: ScanRequest,
    span: KeySpan,
  ): Promise<{ entries: Entry[]; revision: Revision; rest: KeySpan | undefined }> {
    const { scan, scanAt, scanPlain } = this.#statements
    const bounds = [span.lower, span.upper, limit + 1]
    const now = revision === undefined || !space.history
    const statement = !space.history ? scanPlain : now ? scan : scanAt
    const { seen } = this.#identity
    const rows = await this.#pool.query<ScanRow>(statement, now ? bounds : [...bounds, revision])
    this.#identity.checkRevision(rows[0]?.now, seen)
    const { compacted } = rows[0]!
    this.#compacted(compacted)
    const at = revision ?? rows[0]!.now
    if (revision !== undefined) {
      checkReached(revision, rows[0]!.now)
      if (revision < compacted) throw expiredAt(revision, compacted)
    }
    const found = rows.filter((row) => row.key !== null)
    const entries = await this.#entriesAt(this.#pool, space, found, at)
    const last = found.length > limit ? found.at(-1)!.key : undefined
    return { entries, revision: at, rest: last && spanAfter(span, last) }
  }

  // Rows changed after the revision are followed back to their value at it.
  async #entriesAt(query: Queryable, space: Space, rows: readonly ScanRow[], revision: Revision): Promise<Entry[]> {
    const later = rows.filter((row) => row.revision > revision).map((row) => row.revision)
    const past = later.length === 0 ? new Map<Revision, Stored>() : await this.#walkBack(query, later, revision)
    const entries: Entry[] = []
    for (const row of rows) {
      const version = row.revision > revision ? past.get(row.revision) : row
      if (version === undefined) continue
      const { tag, value } = version
      entries.push(await this.open(space, { key: row.key, revision: version.revision, tag, value }))
    }
    return entries
  }

  async #walkBack(query: Queryable, from: readonly Revision[], to: Revision): Promise<Map<Revision, Stored>> {
    const rows = await query.query<WalkRow>(this.#statements.walkBack, [bigIntegers(from), to])
    const compacted = rows[0]!.compacted
    this.#compacted(compacted)
    // Compacted during the walk: missing rows may have been deleted.
    if (to < compacted) throw expiredAt(to, compacted)
    const alive = rows.filter((row) => row.start !== null && row.kind !== rowKind.delete)
    return new Map(alive.map(({ start, revision, tag, value }) => [start, { revision, tag, value }]))
  }

  async #scanPattern(query: Queryable, space: Space, request: ScanRequest): Promise<Page> {
    const [counter] = await query.query<Counter>(this.#statements.counter, [0])
    const { now, compacted } = counter!
    this.#compacted(compacted)
    const revision = request.revision ?? now
    checkReached(revision, now)
    if (request.revision !== undefined && revision < compacted) throw expiredAt(revision, compacted)
    const entries: Entry[] = []
    let cursor = request.after
    while (entries.length <= request.limit) {
      const wanted = request.limit + 1 - entries.length
      const keys = await this.#matchingKeys(query, space, request.range, revision, cursor, wanted)
      entries.push(...(await this.#entriesOf(query, space, keys, revision)))
      if (keys.length < wanted) break
      cursor = keys.at(-1)!.key
    }
    return pageOf(entries, revision, request.limit)
  }

  async #entriesOf(query: Queryable, space: Space, keys: readonly KeyRow[], revision: Revision): Promise<Entry[]> {
    if (keys.length === 0) return []
    if (!space.history) {
      const rows = await query.query<ScanRow>(this.#statements.plainRows, [byteArrays(keys.map(({ key }) => key))])
      return this.#entriesAt(query, space, rows, Number.MAX_SAFE_INTEGER)
    }
    const here = keys.filter((row) => row.revision <= revision).map((row) => row.revision)
    const values = await query.query<Stored>(this.#statements.logRows, [bigIntegers(here)])
    const stored = new Map(values.map((row) => [row.revision, row]))
    const rows = keys.map(({ key, revision: at }) => ({ ...(stored.get(at) ?? { revision: at }), key }) as ScanRow)
    return this.#entriesAt(query, space, rows, revision)
  }

  // Keys of a range with open segments, skipping spans that cannot match.
  async #matchingKeys(
    query: Queryable,
    space: Space,
    range: KeyRange,
    revision = Number.MAX_SAFE_INTEGER,
    after?: Key,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<KeyRow[]> {
    const statement: Statement = space.history ? this.#statements.currentKeys : this.#statements.plainKeys
    const matching: KeyRow[] = []
    let cursor: Uint8Array | undefined = spanAfter(range.whole, after).lower
    while (cursor !== undefined) {
      const rows: KeyRow[] = await query.query<KeyRow>(statement, [cursor, range.whole.upper, keysAtOnce])
      for (const row of rows) {
        const gone = row.deleted && row.revision <= revision
        if (!gone && rangeHolds(range, row.key) && matching.push(row) === limit) return matching
      }
      cursor = rows.length < keysAtOnce ? undefined : nextCandidate(range, rows.at(-1)!.key)
    }
    return matching
  }
}

export interface Counter {
  readonly now: Revision
  readonly compacted: Revision
}

/** The counter with the identity of its store. */
export interface CounterRow extends Counter, CounterState {}

interface Stored {
  readonly revision: Revision
  readonly tag: number
  readonly value: Uint8Array
}

interface KeyRow {
  readonly key: Key
  readonly revision: Revision
  readonly deleted: boolean
}

interface ScanRow extends Stored, Counter {
  readonly key: Key
}

interface WalkRow extends Stored {
  readonly compacted: Revision
  readonly start: Revision
  readonly kind: number
}

interface GetAtRow extends Counter {
  readonly revision: Revision | null
  readonly exact_key: Key | null
  readonly exact_kind: number | null
  readonly tag: number
  readonly value: Uint8Array
}

const keysAtOnce = 256

/** Part of a span after a key. */
function spanAfter(span: KeySpan, after: Uint8Array | undefined): KeySpan {
  if (after === undefined || compareKeys(after, span.lower) < 0) return span
  // No key sorts between a key and the same key with a zero byte appended.
  return { lower: Buffer.concat([after, Uint8Array.of(0)]), upper: span.upper }
}

/** Lower bound of the next possible match after a key, or undefined. */
function nextCandidate(range: KeyRange, key: Key): Uint8Array | undefined {
  let asked: Uint8Array = key
  const span = nextSpan(range, key, (from) => {
    asked = from
    return compareKeys(from, key) <= 0 ? key : undefined
  })
  if (span !== undefined) return spanAfter(range.whole, key).lower
  return compareKeys(asked, key) > 0 ? asked : undefined
}

function pageOf(entries: readonly Entry[], revision: Revision, limit: number): Page {
  if (entries.length <= limit) return { entries, revision }
  return { entries: entries.slice(0, limit), revision, last: entries[limit - 1]!.key }
}
