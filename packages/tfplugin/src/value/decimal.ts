/**
 * A decimal number of any size, exact: coefficient × 10^exponent. Always in lowest form (no zeros at the coefficient's
 * end, zero has exponent 0), so that equal numbers have equal parts.
 */
export class Decimal {
  readonly coefficient: bigint
  readonly exponent: number

  private constructor(coefficient: bigint, exponent: number) {
    this.coefficient = coefficient
    this.exponent = exponent
  }

  static readonly zero: Decimal = new Decimal(0n, 0)

  /** A whole number. */
  static fromInteger(value: number | bigint): Decimal {
    if (typeof value !== 'number' || value < -smallest || value > smallest) return Decimal.#lowest(BigInt(value), 0)
    smallIntegers[value + smallest] ??= Decimal.#lowest(BigInt(value), 0)
    return smallIntegers[value + smallest]!
  }

  /** The shortest decimal that stands for this double, as 0.1 for the double nearest to it; undefined when not finite. */
  static fromNumber(value: number): Decimal | undefined {
    if (Number.isSafeInteger(value)) return Decimal.fromInteger(value)
    return Number.isFinite(value) ? Decimal.parse(String(value)) : undefined
  }

  /** Reads decimal notation, with or without an exponent; undefined when it is none, or too large to be meant. */
  static parse(text: string): Decimal | undefined {
    if (text.length < 16 && plainInteger.test(text)) return Decimal.fromInteger(Number(text) + 0)
    if (text.length > 2 * mostDigits) return undefined
    const match = notation.exec(text)
    if (match === null) return undefined
    const [, sign, whole = '', fraction = '', power] = match
    if (whole === '' && fraction === '') return undefined
    const size = whole.length + fraction.length + Math.abs(Number(power ?? 0))
    // Plain notation may be a little longer, so that whatever was read once is read again from its own text.
    if (size > mostDigits + (power === undefined ? 10 : 0)) return undefined
    const exponent = Number(power ?? 0) - fraction.length
    const digits = BigInt(`${whole}${fraction}`)
    return Decimal.#lowest(sign === '-' ? -digits : digits, exponent)
  }

  get isInteger(): boolean {
    return this.exponent >= 0
  }

  /** As a bigint; undefined when there is a fraction. */
  toBigInt(): bigint | undefined {
    if (this.exponent === 0) return this.coefficient
    return this.exponent > 0 ? this.coefficient * 10n ** BigInt(this.exponent) : undefined
  }

  /** The nearest double. */
  toNumber(): number {
    return this.exponent === 0 ? Number(this.coefficient) : Number(`${this.coefficient}e${this.exponent}`)
  }

  /** Whether a double holds exactly this number. */
  get isExactDouble(): boolean {
    if (this.exponent >= 0) return fitsMantissa(this.toBigInt()!)
    // A fraction is one of powers of two only if its coefficient takes all the fives out of its denominator.
    if (this.exponent < -1074) return false
    const fives = 5n ** BigInt(-this.exponent)
    return this.coefficient % fives === 0n && fitsMantissa(this.coefficient / fives)
  }

  /** Below, at or above zero when this is less than, equal to or greater than the other. */
  compare(other: Decimal): number {
    const exponent = Math.min(this.exponent, other.exponent)
    const mine = this.coefficient * 10n ** BigInt(this.exponent - exponent)
    const theirs = other.coefficient * 10n ** BigInt(other.exponent - exponent)
    return mine < theirs ? -1 : mine > theirs ? 1 : 0
  }

  equals(other: Decimal): boolean {
    return this.exponent === other.exponent && this.coefficient === other.coefficient
  }

  /** Plain notation without an exponent. */
  toString(): string {
    if (this.exponent >= 0) return this.coefficient.toString() + '0'.repeat(this.exponent)
    const negative = this.coefficient < 0n
    const digits = (negative ? -this.coefficient : this.coefficient).toString().padStart(1 - this.exponent, '0')
    const point = digits.length + this.exponent
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
  }

  /** A double where that is exact or at least gives the same decimal back, else text: what JSON for people carries. */
  toJSON(): number | string {
    const number = this.toNumber()
    return Decimal.fromNumber(number)?.equals(this) === true ? number : this.toString()
  }

  static #lowest(coefficient: bigint, exponent: number): Decimal {
    if (coefficient === 0n) return Decimal.zero
    while (coefficient % 10n === 0n) {
      coefficient /= 10n
      exponent++
    }
    return new Decimal(coefficient, exponent)
  }
}

// Most numbers are small, and shared.
const smallest = 256
const smallIntegers: (Decimal | undefined)[] = []
const plainInteger = /^-?\d+$/
const notation = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,9}))?$/
const mostDigits = 20_000

function fitsMantissa(integer: bigint): boolean {
  if (integer === 0n) return true
  while ((integer & 1n) === 0n) integer >>= 1n
  return BigInt.asIntN(54, integer) === integer
}
