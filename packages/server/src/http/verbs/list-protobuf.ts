import type { BodyWriter, Response } from '../front/index.ts'
import { mediaTypes } from '../negotiation.ts'
import { closeProtobufList, openProtobufList } from '../presentation/protobuf.ts'
import type { ListEncoding, ListMeta } from './list-encoding.ts'
import { metadataAfter, piecesFrom, type Reading } from './list-reading.ts'
import type { ListPiece } from './list-source.ts'

/** A list in protobuf out of items that are written already. */
export function protobufList(encoding: ListEncoding, metadata: ListMeta, pieces: readonly Uint8Array[]): Response {
  return answer(Buffer.concat([open(encoding, metadata, lengthOf(pieces)), ...pieces, closeProtobufList()]))
}

/** How many bytes of a list are kept while it is measured. */
const keptBytes = 8 << 20

/**
 * A list in protobuf as it is read. Its envelope begins with its length, so it is measured before it is sent: what is
 * small is kept meanwhile, anything larger is read and written a second time, so that memory does not grow with the list.
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
  // The kind itself may have changed meanwhile; a client must not take half of a list for all of it.
  if (written !== length) throw new Error('cannot go on with a list: its objects are written differently by now')
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
