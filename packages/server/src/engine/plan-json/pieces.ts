/** A JSON list in pieces of bounded size, as its items come. */
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
