import { Http2Error } from './http2-error.ts'

/** Reads text that was written with HTTP/2's own Huffman code. */
export function huffmanDecode(bytes: Uint8Array): string {
  let text = ''
  let node = 0
  // Bits since the last character: at the end they must be fewer than eight, and all ones.
  let pending = 0
  let onlyOnes = true
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const one = (byte >> bit) & 1
      const next = tree[node * 2 + one]!
      pending++
      onlyOnes &&= one === 1
      if (next === 0) throw new Http2Error('COMPRESSION_ERROR', 'a header holds bits that are no character')
      if (next < 0) {
        text += String.fromCharCode(-next - 1)
        node = 0
        pending = 0
        onlyOnes = true
      } else node = next
    }
  }
  if (pending > 7 || !onlyOnes) throw new Http2Error('COMPRESSION_ERROR', 'a header ends in the middle of a character')
  return text
}

// The length of each byte's code, as a letter: a is 5 bits, z is 30. Codes of one length follow each other in the order
// of their bytes, and shorter ones come first, so that the lengths say all.
const lengths =
  'isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhfibccccccccccccccccccccccdcdioijb' +
  'kabababbbaccbbbabcbaabccccckgjixprpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs' +
  'vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv'

/** Two entries a node, for the bits 0 and 1: another node, a byte as -(byte + 1), or 0 for nothing. */
const tree = buildTree()

function buildTree(): Int16Array {
  const nodes = new Int16Array(1024)
  let used = 1
  let code = -1
  let previous = 0
  for (const { byte, length } of byLength()) {
    code = (code + 1) * 2 ** (length - (previous || length))
    previous = length
    let node = 0
    for (let bit = length - 1; bit > 0; bit--) {
      const slot = node * 2 + (Math.floor(code / 2 ** bit) % 2)
      if (nodes[slot] === 0) nodes[slot] = used++
      node = nodes[slot]!
    }
    nodes[node * 2 + (code % 2)] = -(byte + 1)
  }
  return nodes
}

function byLength(): { readonly byte: number; readonly length: number }[] {
  const all = [...lengths].map((letter, byte) => ({ byte, length: letter.charCodeAt(0) - 97 + 5 }))
  return all.sort((a, b) => a.length - b.length || a.byte - b.byte)
}
