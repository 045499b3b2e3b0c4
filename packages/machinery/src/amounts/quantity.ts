import { JsonNumber } from '../json/index.ts'

/** The notation of a quantity, kept from the input to the output. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** An amount of a resource: `unscaled × 10^exponent`, with a resolution of one billionth (nano). */
export interface Quantity {
  readonly unscaled: bigint
  /** Never below -9. */
  readonly exponent: number
  readonly format: QuantityFormat
  /** The source text, set when Kubernetes would print it unchanged instead of its canonical form. */
  readonly text?: string
}

/** A text that is not a quantity. The message is Kubernetes'. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'QuantityError'
  }
}

/** Parses a quantity: `500m`, `1.5Gi`, `1e3`. Digits below one billionth are rounded away from zero. */
export function quantityFromText(text: string): Quantity {
  if (text.length > largestLength) throw new QuantityError('unable to parse numeric part of quantity')
  const match = text === '' ? null : /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text)
  if (match === null) throw new QuantityError(`quantities must match the regular expression '${publishedPattern}'`)
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  const { base, exponent, format } = suffixFromText(suffix)
  const digits = whole.replace(/^0+/, '') || '0'
  const unscaled = BigInt(digits + fraction) * (sign === '-' ? -1n : 1n)
  if (base === 2) return binaryQuantity(text, unscaled, fraction.length, exponent, digits)
  const scaled = roundToNano(unscaled, exponent - fraction.length)
  const kept = isDecimalCanonical(digits + fraction, exponent - fraction.length)
  return { ...scaled, format, ...(kept ? { text } : {}) }
}

/** Parses a quantity of an object: a string or a number. */
export function quantityFromJson(value: string | number | JsonNumber): Quantity {
  return quantityFromText(value instanceof JsonNumber ? value.text : String(value))
}

/** Formats a quantity in Kubernetes' canonical form: `1500m`, `1536Mi`, `12e6`. */
export function quantityToText(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text
  if (quantity.unscaled === 0n) return '0'
  return usesBinarySuffix(quantity) ? binaryText(quantity) : decimalText(quantity)
}

/** Compares amounts, ignoring the format: negative when `a` is smaller, positive when it is larger, 0 when equal. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const sign = signOf(a.unscaled) - signOf(b.unscaled)
  if (sign !== 0) return sign
  const { left, right } = aligned(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

/** Returns the sum in the format of `a`, or of `b` when `a` is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const { left, right, exponent } = aligned(a, b)
  return { unscaled: left + right, exponent, format: a.unscaled === 0n ? b.format : a.format }
}

/** Returns the difference in the format of `a`, or of `b` when `a` is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { unscaled: -b.unscaled, exponent: b.exponent, format: b.format })
}

/** Returns the amount in units of 10^exponent (default 1), rounded away from zero. */
export function quantityToInteger(quantity: Quantity, exponent = 0): bigint {
  const shift = quantity.exponent - exponent
  if (shift >= 0) return quantity.unscaled * 10n ** BigInt(shift)
  return divideAwayFromZero(quantity.unscaled, 10n ** BigInt(-shift))
}

/** Returns a quantity of whole units. */
export function quantityFromInteger(value: bigint | number, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { unscaled: BigInt(value), exponent: 0, format }
}

const publishedPattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
const smallestExponent = -9
// Limits on the size of the bigint that a request can make the server compute with; real amounts are far below.
const largestExponent = 1_000
const largestLength = 1_000
const largestBinary = 2n ** 63n - 1n
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

function suffixFromText(suffix: string): { base: 2 | 10; exponent: number; format: QuantityFormat } {
  const decimal = decimalSuffixes.indexOf(suffix)
  if (decimal !== -1) return { base: 10, exponent: decimal * 3 - 9, format: 'DecimalSI' }
  const binary = binarySuffixes.indexOf(suffix)
  if (binary !== -1) return { base: 2, exponent: binary * 10, format: 'BinarySI' }
  const exponent = /^[eE][-+]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : Number.NaN
  if (!(Math.abs(exponent) <= largestExponent)) throw new QuantityError("unable to parse quantity's suffix")
  return { base: 10, exponent, format: 'DecimalExponent' }
}

// Follows resource.ParseQuantity of Kubernetes: amounts of up to 15 digits are exact; larger ones saturate at int64.
function binaryQuantity(text: string, unscaled: bigint, decimals: number, exponent: number, digits: string): Quantity {
  const exact = unscaled * 2n ** BigInt(exponent)
  const isShort = decimals === 0 && 15 - digits.length - Math.floor((exponent * 3) / 10) - 1 >= 0
  if (isShort) {
    // Kubernetes prints the source text again unless the number may be divisible by 1024, which it tests by the low bits.
    const kept = (BigInt(digits) & 7n) !== 0n
    return { unscaled: exact, exponent: 0, format: 'BinarySI', ...(kept ? { text } : {}) }
  }
  if (!/\d/.test(text)) throw new QuantityError('unable to parse numeric part of quantity')
  const rounded = roundToNano(exact, -decimals)
  const size = absolute(rounded)
  if (size > largestBinary) {
    return { unscaled: unscaled < 0n ? -largestBinary : largestBinary, exponent: 0, format: 'BinarySI' }
  }
  return { ...rounded, format: size === 0n && rounded.unscaled !== 0n ? 'DecimalSI' : 'BinarySI' }
}

/** Returns the integer part of an amount without its sign. */
function absolute({ unscaled, exponent }: { unscaled: bigint; exponent: number }): bigint {
  const size = unscaled < 0n ? -unscaled : unscaled
  return exponent >= 0 ? size * 10n ** BigInt(exponent) : size / 10n ** BigInt(-exponent)
}

function roundToNano(unscaled: bigint, exponent: number): { unscaled: bigint; exponent: number } {
  if (exponent >= smallestExponent) return { unscaled, exponent }
  return {
    unscaled: divideAwayFromZero(unscaled, 10n ** BigInt(smallestExponent - exponent)),
    exponent: smallestExponent,
  }
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  if (quotient * divisor === dividend) return quotient
  return dividend < 0n ? quotient - 1n : quotient + 1n
}

/** Returns true when Kubernetes considers the digits canonical and prints the source text again. */
function isDecimalCanonical(digits: string, exponent: number): boolean {
  if (digits.length > 18 || exponent < smallestExponent || exponent % 3 !== 0) return digits === '0' && exponent === 0
  return !digits.endsWith('000') && !digits.startsWith('0')
}

/** Binary suffixes are used for integers from 1024 on only; other amounts would be rounded by them. */
function usesBinarySuffix({ unscaled, exponent, format }: Quantity): boolean {
  if (format !== 'BinarySI') return false
  const isWhole = exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n
  return isWhole && absolute({ unscaled, exponent }) >= 1024n
}

function binaryText(quantity: Quantity): string {
  let mantissa = quantityToInteger(quantity)
  let power = 0
  while (power < binarySuffixes.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n
    power++
  }
  return `${mantissa}${binarySuffixes[power]}`
}

function decimalText({ unscaled, exponent, format }: Quantity): string {
  let mantissa = unscaled
  while (mantissa % 10n === 0n) {
    mantissa /= 10n
    exponent++
  }
  const largest = format === 'DecimalExponent' ? Number.POSITIVE_INFINITY : 18
  const shown = Math.min(Math.floor(exponent / 3) * 3, largest)
  mantissa *= 10n ** BigInt(exponent - shown)
  if (format === 'DecimalExponent') return shown === 0 ? `${mantissa}` : `${mantissa}e${shown}`
  return `${mantissa}${decimalSuffixes[shown / 3 + 3]}`
}

function aligned(a: Quantity, b: Quantity): { left: bigint; right: bigint; exponent: number } {
  const exponent = Math.min(a.exponent, b.exponent)
  return {
    left: a.unscaled * 10n ** BigInt(a.exponent - exponent),
    right: b.unscaled * 10n ** BigInt(b.exponent - exponent),
    exponent,
  }
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0
}
