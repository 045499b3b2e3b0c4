/** Streams a JSON array in chunks of about 64 KiB. */
export async function* listPieces(items: AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  let piece = '['
  let separator = ''
  for await (const item of items) {
    piece += separator + JSON.stringify(item)
    separator = ','
    if (piece.length < pieceSize) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(`${piece}]`)
}

const pieceSize = 64 * 1024
