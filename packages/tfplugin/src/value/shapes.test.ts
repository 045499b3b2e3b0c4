import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertValue } from './convert.ts'
import { Decimal } from './decimal.ts'
import { equalValues } from './equal-values.ts'
import { attributeStep, indexStep, keyStep, type Path, pathToText, samePath, startsWithPath, valueAt } from './path.ts'
import { canonicalSet } from './set-order.ts'
import { anyTypedValue } from './testing/arbitraries.ts'
import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  tupleType,
} from './type.ts'
import { unknown } from './unknown.ts'
import { Typed, type Value, valueObject } from './value.ts'
import { transformValue, walkValue } from './walk.ts'
import { isWhollyKnown } from './wholly-known.ts'

const number = (value: number) => Decimal.fromInteger(value)

describe('conversion', () => {
  const cases: [Value, Type, Value][] = [
    ['5', numberType, number(5)],
    [number(5), stringType, '5'],
    [true, stringType, 'true'],
    ['false', boolType, false],
    [['b', 'a', 'b'], setType(stringType), ['a', 'b']],
    [['1', true], tupleType([numberType, stringType]), [number(1), 'true']],
    [valueObject({ a: number(1) }), mapType(stringType), valueObject({ a: '1' })],
    [valueObject({ a: '1', extra: 'x' }), objectType({ a: numberType }), valueObject({ a: number(1) })],
    [valueObject({}), objectType({ a: numberType }), valueObject({ a: null })],
    [unknown, listType(stringType), unknown],
    [null, listType(stringType), null],
    [new Typed(numberType, number(1)), stringType, '1'],
    ['x', dynamicType, new Typed(stringType, 'x')],
  ]
  test.each(cases)('%j to %j', (value, type, result) => {
    expect(equalValues(convertValue(value, type), result)).toBe(true)
  })

  const refused: [Value, Type, string][] = [
    ['x', numberType, 'a number is required'],
    [[valueObject({ port: 'http' })], listType(objectType({ port: numberType })), '[0].port: a number is required'],
    [valueObject({}), objectType({ a: numberType }, ['a']), 'a: the attribute is required'],
    [valueObject({}), listType(stringType), 'list(string) is required, not an object'],
    [['a'], tupleType([]), 'tuple([]) is required'],
    [valueObject({ a: ['x'] }), mapType(boolType), 'a["a"]: a bool'.replace('a["a"]', '["a"]')],
  ]
  test.each(refused)('%j to %j is rejected', (value, type, words) => {
    expect(() => convertValue(value, type)).toThrow(words)
  })

  test('rejects unknown attributes when asked to', () => {
    const convert = () => convertValue(valueObject({ b: 'x' }), objectType({}), { otherAttributes: 'refuse' })
    expect(convert).toThrow('b: there is no such attribute')
  })

  test('leaves a matching value unchanged', () => {
    fc.assert(
      fc.property(anyTypedValue(true), ({ type, value }) => {
        expect(equalValues(convertValue(value, type), value)).toBe(true)
      }),
    )
  })
})

describe('a set', () => {
  test('has one order, independent of the input order', () => {
    const sets = anyTypedValue(false).filter(({ type }) => type.kind === 'list')
    fc.assert(
      fc.property(sets, fc.infiniteStream(fc.nat()), ({ type, value }, chance) => {
        if (value === null || type.kind !== 'list') return
        const elements = value as readonly Value[]
        const shuffled = elements
          .map((element) => ({ element, place: chance.next().value as number }))
          .sort((a, b) => a.place - b.place)
          .map(({ element }) => element)
        const canonical = canonicalSet(elements, type.element)
        expect(equalValues(canonicalSet(shuffled, type.element), canonical)).toBe(true)
        expect(equalValues(canonicalSet([...elements, ...shuffled], type.element), canonical)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('keeps two unknowns, because their values may differ', () => {
    expect(canonicalSet([unknown, 'b', null, unknown, 'a', null], stringType)).toEqual([
      'a',
      'b',
      unknown,
      unknown,
      null,
    ])
  })

  test('of many objects is ordered quickly', () => {
    const element = objectType({ id: numberType })
    const many = Array.from({ length: 20_000 }, (_, i) => valueObject({ id: number((i * 7919) % 10_000) }))
    expect(canonicalSet(many, element)).toHaveLength(10_000)
  })
})

describe('a path', () => {
  const path: Path = [attributeStep('rules'), indexStep(0), attributeStep('tags'), keyStep('a b')]

  test("is formatted in Terraform's syntax", () => {
    expect(pathToText(path)).toBe('rules[0].tags["a b"]')
  })

  test('resolves to a part, or to undefined', () => {
    const value = valueObject({ rules: [valueObject({ tags: valueObject({ 'a b': 'x' }) })], later: unknown })
    expect(valueAt(value, path)).toBe('x')
    expect(valueAt(value, [attributeStep('later'), indexStep(3)])).toBe(unknown)
    expect(valueAt(value, [attributeStep('rules'), indexStep(1)])).toBeUndefined()
    expect(valueAt(value, [attributeStep('toString')])).toBeUndefined()
    expect(valueAt(new Typed(listType(stringType), ['x']), [indexStep(0)])).toBe('x')
  })

  test('is compared step by step', () => {
    expect(samePath(path, [...path])).toBe(true)
    expect(startsWithPath(path, path.slice(0, 2))).toBe(true)
    expect(startsWithPath(path.slice(0, 2), path)).toBe(false)
    expect(samePath([indexStep(0)], [indexStep(1)])).toBe(false)
  })
})

describe('walking and transforming', () => {
  test('visits every part with its path', () => {
    fc.assert(
      fc.property(anyTypedValue(true), ({ type, value }) => {
        walkValue(value, type, (part, path) => {
          const there = valueAt(value, path)
          expect(
            part === there || (part instanceof Typed && equalValues(part.value, (there as Typed).value ?? null)),
          ).toBe(true)
        })
      }),
      { numRuns: 50 },
    )
  })

  test('skips the parts when the visitor returns false', () => {
    const seen: string[] = []
    const value = valueObject({ a: valueObject({ b: 'x' }), c: 'y' })
    const type = objectType({ a: mapType(stringType), c: stringType })
    walkValue(value, type, (_, path) => {
      seen.push(pathToText(path))
      return pathToText(path) !== 'a'
    })
    expect(seen).toEqual(['', 'a', 'c'])
  })

  test('returns the same value when nothing changes', () => {
    fc.assert(
      fc.property(anyTypedValue(true), ({ type, value }) => transformValue(value, type, (part) => part) === value),
    )
  })

  test('replaces parts and reorders sets', () => {
    const type = objectType({ set: setType(stringType), map: mapType(stringType), any: dynamicType })
    const any = new Typed(listType(stringType), ['q'])
    const value = valueObject({ set: ['a', 'b'], map: valueObject({ k: 'v' }), any })
    const swap: Record<string, string> = { a: 'z', v: 'w', q: 'r' }
    const result = transformValue(value, type, (part) => (typeof part === 'string' ? (swap[part] ?? part) : part))
    expect(result).toEqual({ set: ['b', 'z'], map: { k: 'w' }, any: new Typed(listType(stringType), ['r']) })
    expect(isWhollyKnown(result)).toBe(true)
  })
})
