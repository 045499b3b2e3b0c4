import type { BodyWriter, Response } from '../../front/index.ts'
import { mediaTypes } from '../../negotiation.ts'
import { closeProtobufList, openProtobufList } from '../../presentation/protobuf.ts'
import type { ListEncoding, ListMeta } from './list-encoding.ts'
import { metadataAfter, piecesFrom, type Reading } from './list-reading.ts'
import type { ListPiece } from './list-source.ts'

/** Creates a protobuf list from encoded items. */
export function protobufList(encoding: ListEncoding, metadata: ListMeta, pieces: readonly Uint8Array[]): Response {
  return answer(Buffer.concat([open(encoding, metadata, lengthOf(pieces)), ...pieces, closeProtobufList()]))
}

/** Encoded bytes that are buffered while the length of a list is computed. */
const keptBytes = 8 << 20

/**
 * Streams a list in protobuf. The envelope begins with the total length, so the list is encoded once to measure it. A
 * small list is buffered in this pass; a larger one is read and encoded a second time, so that memory does not grow
 * with the list.
 */
export async function streamedProtobufList(reading: Reading, first: ListPiece): Promise<Response> {
  const { encoding } = reading
  let kept: Uint8Array[] | undefined = []
  let length = 0
  let count = 0
  let last = first
  for await (const piece of piecesFrom(reading, first)) {
    const bytes = encoding.messages(piece.objects ?? [])
    length += bytes.length
    count += piece.count
    last = piece
    if (length > keptBytes) kept = undefined
    kept?.push(bytes)
  }
  const metadata = await metadataAfter(reading, last, count)
  if (kept !== undefined) return protobufList(encoding, metadata, kept)
  const head = open(encoding, metadata, length)
  return answer(async (writer) => {
    await writer.write(head)
    await writeItems(reading, first, length, writer)
    await writer.write(closeProtobufList())
  })
}

async function writeItems(reading: Reading, first: ListPiece, length: number, writer: BodyWriter): Promise<void> {
  let written = 0
  for await (const piece of piecesFrom(reading, first)) {
    if (writer.signal.aborted) return
    const bytes = reading.encoding.messages(piece.objects ?? [])
    written += bytes.length
    if (bytes.length > 0) await writer.write(bytes)
  }
  // The type may have changed between the two passes. Failing resets the stream, so that the client does not take a
  // truncated list for a complete one.
  if (written !== length) throw new Error('cannot finish the list: its type changed while it was sent')
}

function open({ head }: ListEncoding, metadata: ListMeta, itemsLength: number): Uint8Array {
  const { apiVersion, kind } = head as { readonly apiVersion: string; readonly kind: string }
  return openProtobufList({ apiVersion, kind, metadata, itemsLength })
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

function answer(body: Response['body']): Response {
  const headers = { 'content-type': mediaTypes.protobuf, 'cache-control': 'no-cache, private' }
  return { status: 200, headers, body, compressible: true }
}
