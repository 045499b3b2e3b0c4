/** The error of an invalid string or bytes literal. */
export class LiteralFailure extends Error {}

/** The value of a string literal, which is given with its quotes. */
export function stringFromLiteral(text: string): string {
  const { raw, body } = bodyOf(text)
  if (raw) return body
  return body.replace(escapes, (sequence) => {
    const point = pointOf(sequence)
    if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) throw new LiteralFailure('invalid unicode code point')
    return String.fromCodePoint(point)
  })
}

/** The value of a bytes literal. Octal and hexadecimal escapes are bytes, not code points. */
export function bytesFromLiteral(text: string): Uint8Array {
  const { raw, body } = bodyOf(text.slice(1))
  if (raw) return encoder.encode(body)
  const parts: number[] = []
  let at = 0
  for (const match of body.matchAll(escapes)) {
    parts.push(...encoder.encode(body.slice(at, match.index)))
    const [sequence] = match
    if (/^\\[uU]/.test(sequence)) throw new LiteralFailure('unable to unescape bytes: unicode escapes are for strings')
    parts.push(pointOf(sequence))
    at = match.index + sequence.length
  }
  parts.push(...encoder.encode(body.slice(at)))
  return Uint8Array.from(parts)
}

const encoder = new TextEncoder()

const escapes = /\\(?:[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g

const single: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }

// All line endings become \n, as in cel-go.
function bodyOf(text: string): { raw: boolean; body: string } {
  const raw = /^[rR]/.test(text)
  const quoted = (raw ? text.slice(1) : text).replace(/\r\n?/g, '\n')
  const width = /^("""|''')/.test(quoted) ? 3 : 1
  return { raw, body: quoted.slice(width, -width) }
}

function pointOf(sequence: string): number {
  const [, letter = ''] = sequence
  if (/[xXuU]/.test(letter)) return Number.parseInt(sequence.slice(2), 16)
  if (/[0-3]/.test(letter)) return Number.parseInt(sequence.slice(1), 8)
  return single[letter] ?? letter.codePointAt(0)!
}
