import type { Revision, Tag } from '../../contract.ts'
import { type Key, keyRoom } from '../../key.ts'
import { type KeyRange, nextSpan } from '../../key-range.ts'
import type { SqliteConnection, SqliteStatement } from '../drivers/driver.ts'
import { entryFlags } from '../schema.ts'
import type { KeyIndex } from './key-index.ts'

/** One write in the tables, without its value. */
export interface Version {
  readonly revision: Revision
  readonly previous: Revision
  readonly size: number
  readonly tag: Tag
  readonly deleted: boolean
}

/** A page before its values are read. */
export interface FoundPage {
  readonly slots: readonly number[]
  readonly revisions: readonly Revision[]
  readonly tags: readonly Tag[]
  /** Last key when there are more. */
  readonly last: Key | undefined
}

/**
 * Finds the entries of a page by walking the index; entries newer than a pinned revision are followed back through the
 * narrow table. A page ends early when its values are large or the walk is long, so that it does not block other calls.
 */
export class PageFinder {
  readonly #index: KeyIndex
  readonly #version: SqliteStatement

  constructor(connection: SqliteConnection, index: KeyIndex) {
    this.#index = index
    this.#version = connection.query('SELECT previous, size, tag, flags FROM entry WHERE revision = ?')
  }

  /** Finds keys of a range after a key that existed at a revision (undefined: now). */
  find(range: KeyRange, after: Uint8Array | undefined, pin: Revision | undefined, limit: number): FoundPage {
    const page = new PageBuilder(limit)
    const seek = (from: Uint8Array) => this.#index.first(from)
    let from = after === undefined ? range.whole.lower : afterKey(after)
    for (;;) {
      const span = nextSpan(range, from, seek)
      if (span === undefined) return page.finish(undefined)
      let end: number | undefined
      this.#index.walk(span, (slot) => {
        if (this.#take(page, slot, pin)) return true
        end = slot
        return false
      })
      if (end !== undefined) return page.finish(this.#index.slots.keyOf(page.lastSlot ?? end))
      from = span.upper
    }
  }

  /** Returns the newest version of a slot's key at or before a revision, or undefined. */
  versionAt(slot: number, pin: Revision): Version | undefined {
    let version = this.versionOf(this.#index.slots.revisions[slot]!)
    while (version !== undefined && version.revision > pin) version = this.versionOf(version.previous)
    return version
  }

  /** Returns the version at a revision from the narrow table. */
  versionOf(revision: Revision): Version | undefined {
    const row = revision === 0 ? undefined : this.#version.get(revision)
    if (row === undefined) return undefined
    const [previous, size, tag, flags] = row as readonly number[]
    return { revision, previous: previous!, size: size!, tag: tag!, deleted: (flags! & entryFlags.deleted) !== 0 }
  }

  // Adds a slot to the page if it existed then; returns false when the page is full.
  #take(page: PageBuilder, slot: number, pin: Revision | undefined): boolean {
    const { revisions, tags, sizes, deleted } = this.#index.slots
    const revision = revisions[slot]!
    if (pin === undefined || revision <= pin) {
      return deleted[slot] === 1 ? page.pass(slot) : page.add(slot, revision, tags[slot]!, sizes[slot]!)
    }
    if (!page.mayLookBack()) return false
    const version = this.versionAt(slot, pin)
    return version === undefined || version.deleted
      ? page.pass(slot)
      : page.add(slot, version.revision, version.tag, version.size)
  }
}

class PageBuilder {
  /** Last slot visited. */
  lastSlot: number | undefined
  readonly #limit: number
  readonly #slots: number[] = []
  readonly #revisions: Revision[] = []
  readonly #tags: Tag[] = []
  #bytes = 0
  #lookedBack = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(slot: number, revision: Revision, tag: Tag, size: number): boolean {
    if (this.#slots.length === this.#limit) return false
    if (this.#slots.length > 0 && this.#bytes + size > maxBytes) return false
    this.#slots.push(slot)
    this.#revisions.push(revision)
    this.#tags.push(tag)
    this.#bytes += size
    this.lastSlot = slot
    return true
  }

  // Skipped slots count as visited, so that the next page does not walk them again. Once the page is full, `last` stays
  // the key of the last entry.
  pass(slot: number): boolean {
    if (this.#slots.length < this.#limit) this.lastSlot = slot
    return true
  }

  mayLookBack(): boolean {
    return this.#lookedBack++ < maxLookedBack
  }

  finish(last: Key | undefined): FoundPage {
    return { slots: this.#slots, revisions: this.#revisions, tags: this.#tags, last }
  }
}

const maxBytes = 2 * 1024 * 1024
const maxLookedBack = 1000

// Returns the smallest bytes that sort after a key.
function afterKey(key: Uint8Array): Uint8Array {
  const next = keyRoom(key.length + 1)
  next.set(key)
  next[key.length] = 0
  return next
}
