/**
 * A number that a double would change, kept as the text it was written in. `JSON.stringify` writes that text verbatim.
 * Numbers that a double holds are plain numbers, so every number has one form in memory.
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

/** A number from its JSON text: a plain number when that loses nothing, the text otherwise. */
export function numberFromText(text: string): number | JsonNumber {
  const number = Number(text)
  return isHeldExactly(text, number) ? number : new JsonNumber(text)
}

/** Whether two numbers, in whichever form, have the same value. */
export function numbersEqual(a: number | JsonNumber, b: number | JsonNumber): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b
  return decimalForm(String(a)) === decimalForm(String(b))
}

/** Whether reading the text as a double and writing it again gives the same decimal value. */
export function isHeldExactly(text: string, number = Number(text)): boolean {
  if (!Number.isFinite(number)) return false
  return decimalForm(text) === decimalForm(String(number))
}

/** A decimal number in the one form `<sign><digits>e<exponent>`, without leading or trailing zeros in its digits. */
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

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON
