import { Http2Error } from '../frames/index.ts'

/** Decodes a string in HPACK's Huffman code (RFC 7541, appendix B). */
export function huffmanDecode(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const table = stepTable()
  // Bound of the decoded length: the shortest code has five bits.
  const most = Math.ceil(((end - start) * 8) / 5)
  const text = most <= scratch.length ? scratch : Buffer.allocUnsafe(most)
  let length = 0
  let state = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    const high = table.steps[(state << 4) | (byte >> 4)]!
    if (high < 0) throw noCharacter()
    if (high >= hasSymbol) text[length++] = (high >> 9) & 0xff
    const low = table.steps[((high & stateMask) << 4) | (byte & 0x0f)]!
    if (low < 0) throw noCharacter()
    if (low >= hasSymbol) text[length++] = (low >> 9) & 0xff
    state = low & stateMask
  }
  if (table.ends[state] === 0) throw new Http2Error('COMPRESSION_ERROR', 'a header ends in the middle of a character')
  return text.toString('latin1', 0, length)
}

// Code length of each byte value as a letter: a is 5 bits, z is 30. The code is canonical: shorter codes come first,
// and codes of equal length follow the order of the byte values. So the lengths determine every code.
const lengths =
  'isxxxxxxxtzxxzxxxxxxxxzxxxxxxxxxbffhibdgffdgdbbbaaabbbbbbbcdkbhfibccccccccccccccccccccccdcdioijb' +
  'kabababbbaccbbbabcbaabccccckgjixprpprrrsrssssststtrstssssqrsrsstrqprrssqsrrtqrssqqrqsrssprrrsrrs' +
  'vvporsruvvvwwvtuoqvwwvwtqqvvxwwwptpqrqqsrruuttvsvwvvwwwwwxwwwwwv'

const scratch = Buffer.allocUnsafeSlow(4096)
const stateMask = 0x1ff
const hasSymbol = 1 << 17

/**
 * State machine over four bits at a time. Bits 0-8 of a step are the next state; when `hasSymbol` is set, bits 9-16 are
 * the decoded byte. -1 marks invalid input.
 */
interface StepTable {
  readonly steps: Int32Array
  /** 1 for states in which a string may end: at most seven padding bits, all ones. */
  readonly ends: Uint8Array
}

let made: StepTable | undefined

// Built lazily: most processes never decode Huffman strings.
function stepTable(): StepTable {
  made ??= buildSteps(buildTree())
  return made
}

function buildSteps(tree: Int16Array): StepTable {
  const states = 512
  const steps = new Int32Array(states * 16).fill(-1)
  for (let state = 0; state < states; state++)
    for (let bits = 0; bits < 16; bits++) steps[state * 16 + bits] = stepFrom(tree, state, bits)
  const ends = new Uint8Array(states)
  for (let node = 0, depth = 0; depth <= 7; depth++) {
    ends[node] = 1
    node = tree[node * 2 + 1]!
  }
  return { steps, ends }
}

// Four bits complete at most one character, because the shortest code has five.
function stepFrom(tree: Int16Array, state: number, bits: number): number {
  let node = state
  let symbol = 0
  for (let bit = 3; bit >= 0; bit--) {
    const next = tree[node * 2 + ((bits >> bit) & 1)]!
    if (next === 0) return -1
    if (next < 0) symbol = hasSymbol | ((-next - 1) << 9)
    node = Math.max(next, 0)
  }
  return symbol | node
}

/** Two entries per tree node, for bit 0 and bit 1: another node, a byte as -(byte + 1), or 0 for none. */
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

function noCharacter(): Http2Error {
  return new Http2Error('COMPRESSION_ERROR', 'invalid Huffman code in a header')
}
