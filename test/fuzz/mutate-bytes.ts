/** Pseudo-random numbers from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Mutates bytes: flips, cuts, duplicates, moves, or inserts bytes that often break parsers. */
export function mutateBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  let mutated: Uint8Array = Buffer.from(bytes)
  const rounds = 1 + Math.floor(random() * 4)
  for (let round = 0; round < rounds; round++) mutated = mutateOnce(mutated, random)
  return mutated
}

const troublesome = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ':',
  ',',
  '\0',
  '\n',
  '\t',
  '---\n',
  '&a ',
  '*a ',
  '<<: ',
  '${',
  '%',
  '..',
  '/',
  '-',
  '1e999',
  '-0',
  '9223372036854775808',
  'null',
  'true',
  'NaN',
  '\\u0000',
  '\\ud800',
  '__proto__',
  '$patch',
  '"\ufeff',
  '\u2028',
].map((text) => Buffer.from(text))

const raw = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0x80],
  [0x0a, 0xff, 0xff, 0xff, 0x7f],
].map((each) => Buffer.from(each))

function mutateOnce(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * (bytes.length + 1))
  const end = Math.min(bytes.length, at + Math.floor(random() ** 3 * 64))
  const pick = (list: readonly Uint8Array[]) => list[Math.floor(random() * list.length)]!
  const splice = (middle: Uint8Array, until = at) =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(until)])
  switch (Math.floor(random() * 7)) {
    case 0: {
      const flipped = Buffer.from(bytes)
      if (flipped.length > 0) flipped[at % flipped.length]! ^= 1 << Math.floor(random() * 8)
      return flipped
    }
    case 1:
      return splice(new Uint8Array(0), end)
    case 2:
      return splice(bytes.subarray(at, end))
    case 3:
      return bytes.subarray(0, at)
    case 4:
      return splice(pick(raw))
    default:
      return splice(pick(troublesome))
  }
}
