import { continueTokenToText } from '../continue-token.ts'
import type { ListEncoding, ListMeta } from './list-encoding.ts'
import type { ListPiece, ListPosition, ListSource } from './list-source.ts'

/** A list on its way: where it is read, from which place on, and how it is written. */
export interface Reading {
  readonly source: ListSource
  readonly encoding: ListEncoding
  readonly limit: number
  readonly position: ListPosition
  /** How many items earlier pages of this list held. */
  readonly before: number
  /** Whether the items that remain can be counted: nothing is selected. */
  readonly counted: boolean
  /** Resolves when the next piece may be read. */
  readonly turn: () => Promise<void>
}

/** The pieces of a list from its first on, all of one revision. */
export async function* piecesFrom(reading: Reading, first: ListPiece): AsyncGenerator<ListPiece> {
  let piece = first
  let count = first.count
  yield piece
  while (piece.last !== undefined && count < reading.limit) {
    await reading.turn()
    piece = await reading.source.read({ revision: first.revision, after: piece.last }, reading.limit - count)
    count += piece.count
    yield piece
  }
}

/** The metadata of a list that ends after so many items with this piece. */
export async function metadataAfter(reading: Reading, { revision, last }: ListPiece, count: number): Promise<ListMeta> {
  const resourceVersion = String(revision)
  if (last === undefined) return { ...(reading.encoding.tellsEnd ? { continue: '' } : {}), resourceVersion }
  const before = reading.before + count
  const token = continueTokenToText({ revision, ...last, before })
  if (!reading.counted) return { resourceVersion, continue: token }
  const remaining = (await reading.source.total()) - before
  return { resourceVersion, continue: token, ...(remaining > 0 ? { remainingItemCount: remaining } : {}) }
}
