import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactFieldValue, fieldSelectorFromText, selectsFields } from './field-selector.ts'
import {
  labelSelectorFromObject,
  labelSelectorFromText,
  labelSelectorToText,
  selectNothing,
  selectsLabels,
} from './label-selector.ts'

describe('label selectors', () => {
  const labels = { app: 'web', tier: 'front', n: '10', empty: '' }
  const cases: readonly [selector: string, selects: boolean][] = [
    ['', true],
    ['app', true],
    ['!app', false],
    ['! app', false],
    ['missing', false],
    ['!missing', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web , tier=front', true],
    ['app!=web', false],
    ['missing!=x', true],
    ['app in (web,db)', true],
    ['app in ( web )', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['app in (db)', false],
    ['empty in ()', true],
    ['empty in (,x)', true],
    ['empty in (x,)', true],
    ['app in (x,,y)', false],
    ['empty=', true],
    ['empty=,app=web', true],
    ['n>9', true],
    ['n<10', false],
    ['app>1', false],
    ['n > 9,n<11', true],
    ['in in (in,notin)', false],
    ['constructor', false],
    ['!toString', true],
  ]
  it.each(cases)('%j selects: %s', (selector, selects) => {
    expect(selectsLabels(labelSelectorFromText(selector), labels)).toBe(selects)
  })

  const refusals: readonly [selector: string, message: string][] = [
    ['x=a y', "found 'y', expected: ',' or 'end of string'"],
    ['x=,,', "found ',', expected: identifier after ','"],
    ['x,', "found '', expected: identifier after ','"],
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    ['x y', "unable to parse requirement: found 'y', expected: in, notin, =, ==, !=, gt, lt"],
    ['x in a', "unable to parse requirement: found 'a' expected: '('"],
    ['x in (a', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['x in (=', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['x=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!x in (a)', "found 'in', expected: ',' or 'end of string'"],
    [
      'x>a',
      `unable to parse requirement: values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ]
  it.each(refusals)('%j is rejected: %s', (selector, message) => {
    expect(refusal(() => labelSelectorFromText(selector))).toBe(message)
  })

  it('reject invalid keys and values with the messages of validation', () => {
    expect(refusal(() => labelSelectorFromText('-a=b'))).toMatch(
      /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of/,
    )
    expect(refusal(() => labelSelectorFromText('a in (b,-c)'))).toMatch(
      /^unable to parse requirement: values\[0]\[a]: Invalid value: "-c": a valid label must be/,
    )
  })

  it('round-trip through text, sorted by key', () => {
    const text = '!a,b,c in (x,y),d notin (),e=1,f==2,g!=3,h>4,i<5'
    expect(labelSelectorToText(labelSelectorFromText('i<5,h>4,g!=3,f==2,e=1,d notin (),c in (y,x),b,!a'))).toBe(text)
    expect(labelSelectorToText(labelSelectorFromText(text))).toBe(text)
  })

  it('throw only SelectorError', () => {
    const part = fc.constantFrom('a', 'in', 'notin', '=', '!', '(', ')', ',', ' ', '>', '<', '==', '-', '\0', 'é')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const message = refusal(() => labelSelectorFromText(parts.join(''))) ?? ''
        expect(message).not.toMatch(/TypeError|RangeError/)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('selector objects', () => {
  it('select nothing when absent and everything when empty', () => {
    expect(selectsLabels(labelSelectorFromObject(undefined), {})).toBe(false)
    expect(selectsLabels(selectNothing, { a: 'b' })).toBe(false)
    expect(selectsLabels(labelSelectorFromObject({}), undefined)).toBe(true)
  })

  it('combine matchLabels and matchExpressions', () => {
    const selector = labelSelectorFromObject({
      matchLabels: { a: '1' },
      matchExpressions: [
        { key: 'b', operator: 'In', values: ['x', 'y'] },
        { key: 'c', operator: 'DoesNotExist' },
        { key: 'd', operator: 'Exists' },
        { key: 'e', operator: 'NotIn', values: ['z'] },
      ],
    })
    expect(labelSelectorToText(selector)).toBe('a=1,b in (x,y),!c,d,e notin (z)')
    expect(selectsLabels(selector, { a: '1', b: 'y', d: '' })).toBe(true)
    expect(selectsLabels(selector, { a: '1', b: 'y', d: '', c: '' })).toBe(false)
  })

  it('reject unknown operators and wrong numbers of values', () => {
    const of = (operator: string, values: string[]) => () =>
      labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator, values }] })
    expect(refusal(of('Maybe', []))).toBe('"Maybe" is not a valid label selector operator')
    expect(refusal(of('In', []))).toBe(
      "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    )
    expect(refusal(of('Exists', ['x']))).toBe(
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    )
  })
})

describe('field selectors', () => {
  const fields: Record<string, string> = { 'metadata.name': 'a', 'status.phase': 'x,y=z\\' }
  const read = (field: string) => fields[field]
  const cases: readonly [selector: string, selects: boolean][] = [
    ['', true],
    [',', true],
    ['metadata.name=a', true],
    ['metadata.name==a', true],
    ['metadata.name!=a', false],
    ['metadata.name=', false],
    ['missing=', true],
    ['missing!=', false],
    ['status.phase=x\\,y\\=z\\\\', true],
    ['metadata.name=a,status.phase!=b', true],
  ]
  it.each(cases)('%j selects: %s', (selector, selects) => {
    expect(selectsFields(fieldSelectorFromText(selector), read)).toBe(selects)
  })

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is rejected: %s', (selector, message) => {
    expect(refusal(() => fieldSelectorFromText(selector))).toBe(message)
  })

  it('read any value that is escaped', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const text = `a.b!=${value.replace(/[\\,=]/g, '\\$&')}`
        expect(fieldSelectorFromText(text)).toEqual([{ field: 'a.b', operator: '!=', value }])
      }),
    )
  })

  it('have an exact value for equality', () => {
    expect(exactFieldValue(fieldSelectorFromText('a!=1,b=2'), 'b')).toBe('2')
    expect(exactFieldValue(fieldSelectorFromText('a!=1,b=2'), 'a')).toBeUndefined()
  })
})

function refusal(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Error && error.name === 'SelectorError' ? error.message : String(error)
  }
}
