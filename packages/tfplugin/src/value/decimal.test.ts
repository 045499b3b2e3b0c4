import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from './decimal.ts'
import { anyDecimal } from './testing/arbitraries.ts'

describe('a decimal', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['007', '7'],
    ['+5', '5'],
    ['1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e3', '1000'],
    ['1.25E-2', '0.0125'],
    ['-12345678901234567890.5', '-12345678901234567890.5'],
    ['0.1', '0.1'],
  ])('reads %s as %s', (text, plain) => {
    expect(Decimal.parse(text)?.toString()).toBe(plain)
  })

  test.each(['', '.', 'e5', '-', '1e', '0x10', '1_000', ' 1', 'Infinity', 'NaN', '1e99999'])('rejects %s', (text) => {
    expect(Decimal.parse(text)).toBeUndefined()
  })

  test('is parsed from its own text', () => {
    fc.assert(fc.property(anyDecimal, (value) => Decimal.parse(value.toString())?.equals(value) === true))
  })

  test.each(['1e19999', '-1e-19999', `${'9'.repeat(10_000)}e10000`, `0.${'9'.repeat(19_999)}`])(
    'is parsed from its own text up to the largest size',
    (text) => {
      const value = Decimal.parse(text)!
      expect(Decimal.parse(value.toString())?.equals(value)).toBe(true)
    },
  )

  test('of a double converts back to the double', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(doubles, (value) => Decimal.fromNumber(value)!.toNumber() === value))
  })

  test('is an exact double when its binary digits fit the mantissa', () => {
    const exact = (text: string) => Decimal.parse(text)!.isExactDouble
    expect(['0.5', '0.375', '3', '9007199254740993', '0.1', '1e22', '1e23'].map(exact)).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
    ])
    fc.assert(
      fc.property(anyDecimal, (value) => {
        if (value.isExactDouble && Math.abs(value.exponent) < 100)
          expect(exactText(value.toNumber())).toBe(value.toString())
      }),
    )
  })

  test('compares by numeric value', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(Math.sign(Decimal.fromInteger(a).compare(Decimal.fromInteger(b)))).toBe(Math.sign(a - b))
      }),
    )
    expect(Decimal.parse('0.10')!.compare(Decimal.parse('0.09')!)).toBe(1)
  })

  test('is a JSON number when no digits are lost', () => {
    expect(JSON.stringify([Decimal.parse('0.1'), Decimal.parse('12345678901234567890')])).toBe(
      '[0.1,"12345678901234567890"]',
    )
  })
})

// Expands a double exactly from its bits.
function exactText(value: number): string {
  let [digits, places] = [value, 0]
  while (!Number.isInteger(digits)) [digits, places] = [digits * 2, places + 1]
  return Decimal.parse(`${BigInt(digits) * 5n ** BigInt(places)}e-${places}`)!.toString()
}
