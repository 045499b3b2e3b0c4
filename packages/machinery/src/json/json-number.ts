/**
 * A number that a double cannot represent exactly, kept as its source text, which `JSON.stringify` writes verbatim. All
 * other numbers are plain numbers: a value never has both representations.
 */
export class JsonNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): unknown {
    return rawJson(this.text)
  }

  toString(): string {
    return this.text
  }
}

/** Parses a JSON number: a plain number when a double represents it exactly, and a JsonNumber otherwise. */
export function numberFromText(text: string): number | JsonNumber {
  const number = Number(text)
  return isExactAsDouble(text, number) ? number : new JsonNumber(text)
}

/** Compares by decimal value, in either representation: `1` equals `1.0`, and `1e400` equals `10e399`. */
export function numbersEqual(a: number | JsonNumber, b: number | JsonNumber): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b
  return decimalForm(String(a)) === decimalForm(String(b))
}

/** Checks that parsing the text as a double and formatting it again yields the same decimal value. */
export function isExactAsDouble(text: string, number = Number(text)): boolean {
  if (!Number.isFinite(number)) return false
  return decimalForm(text) === decimalForm(String(number))
}

/**
 * Normalizes a decimal number to `<sign><digits>e<exponent>` without leading or trailing zeros in the digits, so that
 * equal numbers have equal text. The loops keep this linear in the length of the text, which a client chooses.
 */
function decimalForm(text: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,18}))?$/.exec(text)
  if (match === null) return text
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start++
  if (start === digits.length) return '0'
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - end)
  return `${sign}${digits.slice(start, end)}e${scale}`
}

// TypeScript's library does not declare JSON.rawJSON yet.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON
