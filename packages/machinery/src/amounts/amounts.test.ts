import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber } from '../json/index.ts'
import { durationFromText } from './duration.ts'
import {
  addQuantities,
  compareQuantities,
  quantityFromInteger,
  quantityFromJson,
  quantityFromText,
  quantityToInteger,
  quantityToText,
  subtractQuantities,
} from './quantity.ts'
import { microTimeFromText, microTimeToText, timeFromText, timeToText } from './time.ts'

describe('quantities', () => {
  const cases: readonly [text: string, canonical: string][] = [
    ['0', '0'],
    ['0Mi', '0'],
    ['-', '0'],
    ['.', '0'],
    ['1', '1'],
    ['+1', '+1'],
    ['0100', '0100'],
    ['1000', '1k'],
    ['1500', '1500'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['1.500', '1.500'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1e3', '1e3'],
    ['1E3', '1E3'],
    ['1000e3', '1e6'],
    ['1e4', '10e3'],
    ['0.001', '1m'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1.0000000001', '1000000001n'],
    ['1Ki', '1Ki'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Ki', '512'],
    ['0.5Mi', '512Ki'],
    ['100Ti', '100Ti'],
    ['10Ei', '9223372036854775807'],
    ['1000E', '1000E'],
    ['9999999999999999999', '9999999999999999999'],
    ['0.0001Mi', '104857600u'],
    ['-1.5Gi', '-1536Mi'],
    ['12e6', '12e6'],
    ['1e-3', '1e-3'],
    ['1E', '1E'],
    ['5u', '5u'],
    ['64000', '64k'],
    ['2500000', '2500k'],
  ]
  it.each(cases)('%s is formatted as %s', (text, canonical) =>
    expect(quantityToText(quantityFromText(text))).toBe(canonical),
  )

  it.each(['', 'a', '1.2.3', '1Kib', '1 ', ' 1', '--1', '0x1', '1,5'])('%j is rejected as malformed', (text) => {
    expect(() => quantityFromText(text)).toThrow(/^quantities must match|^unable to parse quantity's suffix/)
  })

  it.each(['1ki', '1K', '1e', '1mi', '1e99999', '1ee3'])('%j is rejected for its suffix', (text) => {
    expect(() => quantityFromText(text)).toThrow("unable to parse quantity's suffix")
  })

  it('with a million digits are rejected quickly', () => {
    expect(() => quantityFromText('9'.repeat(1_000_000))).toThrow('unable to parse numeric part of quantity')
  })

  const text = fc
    .tuple(
      fc.constantFrom('', '-', '+'),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      fc.option(fc.bigInt({ min: 0n, max: 10n ** 10n }), { nil: undefined }),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-2', 'e+7'),
    )
    .map(([sign, whole, fraction, suffix]) => `${sign}${whole}${fraction === undefined ? '' : `.${fraction}`}${suffix}`)

  it('keep their amount in canonical form, which is stable', () => {
    fc.assert(
      fc.property(text, (given) => {
        const quantity = quantityFromText(given)
        const { text: _, ...bare } = quantity
        const written = quantityToText(bare)
        const again = quantityFromText(written)
        expect(compareQuantities(again, quantity)).toBe(0)
        const { text: __, ...bareAgain } = again
        expect(quantityToText(bareAgain)).toBe(written)
      }),
      { numRuns: 1_000 },
    )
  })

  it('compare and add by value', () => {
    const integer = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
    fc.assert(
      fc.property(integer, integer, fc.integer({ min: -3, max: 3 }), (a, b, shift) => {
        const left = quantityFromInteger(a)
        const right = { unscaled: b, exponent: shift, format: 'DecimalSI' } as const
        const scaled = { left: a * 10n ** 3n, right: b * 10n ** BigInt(shift + 3) }
        expect(Math.sign(compareQuantities(left, right))).toBe(Math.sign(Number(scaled.left - scaled.right)))
        expect(quantityToInteger(addQuantities(left, right), -3)).toBe(scaled.left + scaled.right)
        expect(quantityToInteger(subtractQuantities(left, right), -3)).toBe(scaled.left - scaled.right)
      }),
    )
  })

  it('are rounded away from zero when converted to integers', () => {
    expect(quantityToInteger(quantityFromText('1.1'))).toBe(2n)
    expect(quantityToInteger(quantityFromText('-1.1'))).toBe(-2n)
    expect(quantityToInteger(quantityFromText('100m'), -3)).toBe(100n)
    expect(quantityToInteger(quantityFromText('1Ki'))).toBe(1024n)
  })

  it('are parsed from JSON numbers', () => {
    expect(quantityToText(quantityFromJson(0.5))).toBe('500m')
    expect(quantityToText(quantityFromJson(new JsonNumber('9007199254740993')))).toBe('9007199254740993')
  })

  it('take the format of the second operand when the first is zero', () => {
    expect(quantityToText(addQuantities(quantityFromText('0'), quantityFromText('1Gi')))).toBe('1Gi')
    expect(quantityToText(addQuantities(quantityFromText('1Gi'), quantityFromText('1k')))).toBe('1073742824')
  })
})

describe('durations', () => {
  it.each<[string, bigint]>([
    ['0', 0n],
    ['1h30m', 5_400_000_000_000n],
    ['90m', 5_400_000_000_000n],
    ['1.5s', 1_500_000_000n],
    ['300ms', 300_000_000n],
    ['1us', 1_000n],
    ['1.5µs', 1_500n],
    ['15ns', 15n],
    ['-2m', -120_000_000_000n],
    ['+5s', 5_000_000_000n],
    ['.5h', 1_800_000_000_000n],
    ['1h0.5s', 3_600_500_000_000n],
  ])('%s is %d nanoseconds', (text, nanoseconds) => expect(durationFromText(text)).toBe(nanoseconds))

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['3', 'time: missing unit in duration "3"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['.s', 'time: invalid duration ".s"'],
    ['x', 'time: invalid duration "x"'],
    ['1e9h', 'time: unknown unit "e" in duration "1e9h"'],
    ['9999999999h', 'time: invalid duration "9999999999h"'],
  ])('%j is rejected: %s', (text, message) => expect(() => durationFromText(text)).toThrow(message))
})

describe('times', () => {
  it('are formatted in UTC with whole seconds', () => {
    expect(timeToText(Date.UTC(2026, 0, 31, 12, 0, 5, 999))).toBe('2026-01-31T12:00:05Z')
    expect(timeToText(-1)).toBe('1969-12-31T23:59:59Z')
  })

  it('are formatted with six digits when they have microseconds', () => {
    expect(microTimeToText(Date.UTC(2026, 0, 1) * 1000 + 1)).toBe('2026-01-01T00:00:00.000001Z')
    expect(microTimeToText(-1)).toBe('1969-12-31T23:59:59.999999Z')
  })

  it.each([
    ['2026-01-01T02:00:00+02:00', '2026-01-01T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.1234567Z', '2026-01-01T00:00:00.123456Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
  ])('%s is parsed', (text, expected) => expect(microTimeToText(microTimeFromText(text)!)).toBe(expected))

  it.each([
    '',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
  ])('%j is rejected', (text) => expect(timeFromText(text)).toBeUndefined())

  it('round-trip through text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8_000_000_000_000_000 }), (microseconds) => {
        expect(microTimeFromText(microTimeToText(microseconds))).toBe(microseconds)
      }),
    )
  })
})
