/**
 * An exact decimal number of any size: coefficient × 10^exponent. Always normalized (no trailing zeros in the
 * coefficient, zero has exponent 0), so equal numbers have equal parts.
 */
export class Decimal {
  readonly coefficient: bigint
  readonly exponent: number

  private constructor(coefficient: bigint, exponent: number) {
    this.coefficient = coefficient
    this.exponent = exponent
  }

  static readonly zero: Decimal = new Decimal(0n, 0)

  /** Converts an integer; small ones are shared instances. */
  static fromInteger(value: number | bigint): Decimal {
    if (typeof value !== 'number' || value < -cachedIntegers || value > cachedIntegers)
      return Decimal.#normalized(BigInt(value), 0)
    smallIntegers[value + cachedIntegers] ??= Decimal.#normalized(BigInt(value), 0)
    return smallIntegers[value + cachedIntegers]!
  }

  /**
   * Returns the shortest decimal that identifies this double, such as 0.1 for the double nearest to it; undefined when
   * not finite.
   */
  static fromNumber(value: number): Decimal | undefined {
    if (Number.isSafeInteger(value)) return Decimal.fromInteger(value)
    return Number.isFinite(value) ? Decimal.parse(String(value)) : undefined
  }

  /**
   * Parses decimal notation with an optional exponent. Returns undefined for anything else, and above 20,000 digits:
   * expanding `1e999999999` would exhaust the memory.
   */
  static parse(text: string): Decimal | undefined {
    if (text.length < 16 && plainInteger.test(text)) return Decimal.fromInteger(Number(text) + 0)
    if (text.length > 2 * maxDigits) return undefined
    const match = notation.exec(text)
    if (match === null) return undefined
    const [, sign, whole = '', fraction = '', power] = match
    if (whole === '' && fraction === '') return undefined
    const size = whole.length + fraction.length + Math.abs(Number(power ?? 0))
    // Plain notation may be slightly longer, so that the text of every accepted number can be parsed again.
    if (size > maxDigits + (power === undefined ? 10 : 0)) return undefined
    const exponent = Number(power ?? 0) - fraction.length
    const digits = BigInt(`${whole}${fraction}`)
    return Decimal.#normalized(sign === '-' ? -digits : digits, exponent)
  }

  get isInteger(): boolean {
    return this.exponent >= 0
  }

  /** Returns undefined when the number has a fraction. */
  toBigInt(): bigint | undefined {
    if (this.exponent === 0) return this.coefficient
    return this.exponent > 0 ? this.coefficient * 10n ** BigInt(this.exponent) : undefined
  }

  /** Returns the nearest double. */
  toNumber(): number {
    return this.exponent === 0 ? Number(this.coefficient) : Number(`${this.coefficient}e${this.exponent}`)
  }

  /** True when a double represents exactly this number. */
  get isExactDouble(): boolean {
    if (this.exponent >= 0) return fitsMantissa(this.toBigInt()!)
    // A double's denominator is a power of two, so the coefficient must cancel every factor 5 of 10^n.
    if (this.exponent < -1074) return false
    const fives = 5n ** BigInt(-this.exponent)
    return this.coefficient % fives === 0n && fitsMantissa(this.coefficient / fives)
  }

  /** Returns a negative, zero or positive number when this is less than, equal to or greater than `other`. */
  compare(other: Decimal): number {
    const exponent = Math.min(this.exponent, other.exponent)
    const mine = this.coefficient * 10n ** BigInt(this.exponent - exponent)
    const theirs = other.coefficient * 10n ** BigInt(other.exponent - exponent)
    return mine < theirs ? -1 : mine > theirs ? 1 : 0
  }

  equals(other: Decimal): boolean {
    return this.exponent === other.exponent && this.coefficient === other.coefficient
  }

  /** Formats in plain notation without an exponent. */
  toString(): string {
    if (this.exponent >= 0) return this.coefficient.toString() + '0'.repeat(this.exponent)
    const negative = this.coefficient < 0n
    const digits = (negative ? -this.coefficient : this.coefficient).toString().padStart(1 - this.exponent, '0')
    const point = digits.length + this.exponent
    return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`
  }

  /** Returns a number when it identifies this decimal, else text. Used in JSON for people, not on the wire. */
  toJSON(): number | string {
    const number = this.toNumber()
    return Decimal.fromNumber(number)?.equals(this) === true ? number : this.toString()
  }

  static #normalized(coefficient: bigint, exponent: number): Decimal {
    if (coefficient === 0n) return Decimal.zero
    while (coefficient % 10n === 0n) {
      coefficient /= 10n
      exponent++
    }
    return new Decimal(coefficient, exponent)
  }
}

// Cache of the integers -256 to 256, the most frequent numbers.
const cachedIntegers = 256
const smallIntegers: (Decimal | undefined)[] = []
const plainInteger = /^-?\d+$/
const notation = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,9}))?$/
const maxDigits = 20_000

function fitsMantissa(integer: bigint): boolean {
  if (integer === 0n) return true
  while ((integer & 1n) === 0n) integer >>= 1n
  return BigInt.asIntN(54, integer) === integer
}
