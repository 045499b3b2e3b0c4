import { continueTokenToText } from '../../continue-token.ts'
import type { Turns } from '../../flow-control/fair-seats.ts'
import type { ListEncoding, ListMeta } from './list-encoding.ts'
import type { ListPiece, ListPosition, ListReader } from './list-source.ts'

/** A list request in progress: source, start position and encoding. */
export interface Reading {
  readonly source: ListReader
  readonly encoding: ListEncoding
  readonly limit: number
  readonly position: ListPosition
  /** Number of items in earlier pages. */
  readonly before: number
  /** True when the remaining items can be counted: the request has no selector. */
  readonly counted: boolean
  readonly turns: Turns
}

/** Yields the pieces of a list from the first one on, all at one revision. */
export async function* piecesFrom(reading: Reading, first: ListPiece): AsyncGenerator<ListPiece> {
  let piece = first
  let count = first.count
  yield piece
  while (piece.last !== undefined && count < reading.limit) {
    await reading.turns.next()
    piece = await reading.source.read({ revision: first.revision, after: piece.last }, reading.limit - count)
    count += piece.count
    yield piece
  }
}

/** Returns the metadata of a list that ends with this piece, after `count` items. */
export async function metadataAfter(reading: Reading, { revision, last }: ListPiece, count: number): Promise<ListMeta> {
  const resourceVersion = String(revision)
  if (last === undefined) return { ...(reading.encoding.marksLastPage ? { continue: '' } : {}), resourceVersion }
  const before = reading.before + count
  const token = continueTokenToText({ revision, ...last, before })
  if (!reading.counted) return { resourceVersion, continue: token }
  const remaining = (await reading.source.total()) - before
  return { resourceVersion, continue: token, ...(remaining > 0 ? { remainingItemCount: remaining } : {}) }
}
