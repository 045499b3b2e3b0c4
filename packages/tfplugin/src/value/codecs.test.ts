import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Decimal } from './decimal.ts'
import { equalValues } from './equal-values.ts'
import { valueFromJson, valueToJson } from './json-codec.ts'
import { valueFromMsgpack, valueToMsgpack } from './msgpack-codec.ts'
import { pathToText } from './path.ts'
import { anyType, anyTypedValue } from './testing/arbitraries.ts'
import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  sameType,
  setType,
  stringType,
  type Type,
} from './type.ts'
import { typeFromJson, typeToJson } from './type-json.ts'
import { Unknown, unknown } from './unknown.ts'
import { Typed, type Value, valueObject } from './value.ts'
import { ValueError } from './value-error.ts'

interface Vector {
  readonly name: string
  readonly type: unknown
  readonly msgpack: string
  /** JSON text, so that parsing the vectors does not round its numbers. */
  readonly json?: string
}

const vectorsFile = new URL('../../../../test/fixtures/go-cty/vectors.json', import.meta.url)
const vectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as Vector[]

describe('vectors written by go-cty', () => {
  test('exist for msgpack and JSON', () => {
    expect(vectors.length).toBeGreaterThan(90)
    expect(vectors.filter(({ json }) => json !== undefined).length).toBeGreaterThan(70)
  })

  test.each(vectors.map((vector) => [vector.name.slice(0, 40), vector] as const))('%s', (_, vector) => {
    const type = typeFromJson(JSON.stringify(vector.type))
    const bytes = Uint8Array.fromHex(vector.msgpack)
    const value = valueFromMsgpack(bytes, type)
    if (vector.name.startsWith('number from a double')) {
      // A double decodes to the shortest decimal that identifies it, which Go would write as text.
      expect(equalValues(valueFromMsgpack(valueToMsgpack(value, type), type), value)).toBe(true)
    } else expect(valueToMsgpack(value, type).toHex()).toBe(vector.msgpack)
    const { json } = vector
    if (json === undefined) return
    expect(equalValues(valueFromJson(json, type), value)).toBe(true)
    expect(JSON.parse(valueToJson(value, type))).toEqual(JSON.parse(json))
  })
})

describe('msgpack', () => {
  test('decodes what it encodes, and encodes it the same way again', () => {
    fc.assert(
      fc.property(anyTypedValue(true), ({ type, value }) => {
        const bytes = valueToMsgpack(value, type)
        const back = valueFromMsgpack(bytes, type)
        expect(equalValues(back, value)).toBe(true)
        expect(valueToMsgpack(back, type)).toEqual(bytes)
      }),
    )
  })

  test('rejects random bytes with a ValueError only', () => {
    fc.assert(
      fc.property(anyType(), fc.uint8Array({ maxLength: 100 }), (type, bytes) =>
        onlyValueErrors(() => valueFromMsgpack(bytes, type)),
      ),
      { numRuns: 1000 },
    )
  })

  test('rejects a corrupted byte with a ValueError only', () => {
    fc.assert(
      fc.property(anyTypedValue(true), fc.nat(), fc.nat(255), ({ type, value }, place, byte) => {
        const bytes = valueToMsgpack(value, type)
        bytes[place % bytes.length] = byte
        onlyValueErrors(() => valueFromMsgpack(bytes, type))
      }),
      { numRuns: 500 },
    )
  })

  test('rejects dynamic values that are nested too deeply', () => {
    const type = new TextEncoder().encode('["tuple",["dynamic"]]')
    const nested = Array.from({ length: 100_000 }, () => [0x92, 0xc4, type.length, ...type, 0x91]).flat()
    expect(() => valueFromMsgpack(Uint8Array.from(nested), dynamicType)).toThrow('nested too deeply')
  })

  test('rejects a length above the number of remaining bytes', () => {
    expect(() => valueFromMsgpack(Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), listType(stringType))).toThrow(
      'ends early',
    )
  })

  test('keeps the refinements of an unknown that apply to its type', () => {
    const bound = { value: Decimal.parse('1.5')!, inclusive: true }
    const cases: [Unknown, Type, boolean][] = [
      [new Unknown({ notNull: true, prefix: 'arn:' }), stringType, true],
      [new Unknown({ minimum: bound, maximum: { value: Decimal.parse('99')!, inclusive: false } }), numberType, true],
      [new Unknown({ minimumLength: 1, maximumLength: 70_000 }), mapType(stringType), true],
      [new Unknown({ prefix: 'x' }), numberType, false],
      [new Unknown({ notNull: true }), dynamicType, false],
    ]
    for (const [value, type, kept] of cases) {
      expect(equalValues(valueFromMsgpack(valueToMsgpack(value, type), type), kept ? value : unknown)).toBe(true)
    }
  })

  test('shortens a prefix that go-cty would reject', () => {
    const value = new Unknown({ prefix: 'é'.repeat(1000) })
    const back = valueFromMsgpack(valueToMsgpack(value, stringType), stringType) as Unknown
    expect(back.refinement?.prefix).toBe('é'.repeat(128))
  })

  test('ignores unknown refinements', () => {
    const body = [0x82, 0x63, 0x92, 0x01, 0xa1, 0x78, 0x01, 0xc2]
    const bytes = Uint8Array.from([0xc7, body.length, 12, ...body])
    expect(valueFromMsgpack(bytes, stringType)).toEqual(new Unknown({ notNull: true }))
  })

  test('normalizes text to NFC', () => {
    expect(valueFromMsgpack(valueToMsgpack('e\u0301', stringType), stringType)).toBe('\u00e9')
  })

  test('infers the type of a bare value in a dynamic position', () => {
    const value = valueObject({ a: ['x', Decimal.fromInteger(1)], b: null })
    const held = valueObject({ a: [new Typed(stringType, 'x'), Decimal.fromInteger(1)], b: null })
    const back = valueFromMsgpack(valueToMsgpack(held, dynamicType), dynamicType) as Typed
    expect(typeToJson(back.type)).toBe('["object",{"a":["tuple",["string","number"]],"b":"dynamic"}]')
    expect(equalValues(back.value, value)).toBe(true)
  })
})

describe('JSON', () => {
  test('decodes every known value it encodes', () => {
    fc.assert(
      fc.property(anyTypedValue(false), ({ type, value }) => {
        expect(equalValues(valueFromJson(valueToJson(value, type), type), value)).toBe(true)
      }),
    )
  })

  test('rejects random text with a ValueError only', () => {
    fc.assert(
      fc.property(anyType(), fc.oneof(fc.json(), fc.string()), (type, text) =>
        onlyValueErrors(() => valueFromJson(text, type)),
      ),
    )
  })

  test('decodes scalars written as strings, and missing attributes as null', () => {
    const type = objectType({ n: numberType, b: boolType, s: stringType, t: stringType, gone: stringType })
    const value = valueFromJson('{"n":"12345678901234567890","b":"true","s":12345678901234567890.10,"t":false}', type)
    const n = Decimal.parse('12345678901234567890')!
    expect(value).toEqual({ n, b: true, s: '12345678901234567890.1', t: 'false', gone: null })
  })

  test('rejects unknown values', () => {
    expect(() => valueToJson(['a', unknown], listType(stringType))).toThrow('[1]: the value is not known')
  })
})

describe('a type', () => {
  test('is parsed from its own JSON', () => {
    fc.assert(fc.property(anyType(), (type) => sameType(typeFromJson(typeToJson(type)), type)))
  })

  test('may list optional attributes, which are dropped', () => {
    const text = '["object",{"a":"string","b":"number"},["b"]]'
    expect(typeToJson(typeFromJson(text))).toBe('["object",{"a":"string","b":"number"}]')
  })

  test.each([
    '',
    '"text"',
    '["list"]',
    '["object",[]]',
    '["tuple",{}]',
    '5',
    `${'["list",'.repeat(500)}"string"${']'.repeat(500)}`,
  ])('is rejected with a ValueError: %s', (text) => {
    expect(() => typeFromJson(text)).toThrow(ValueError)
  })
})

describe('a value that does not match its type', () => {
  const type = objectType({ rules: setType(objectType({ port: numberType })), tags: mapType(stringType) })
  const tags = valueObject({})
  const cases: [Value, string][] = [
    [valueObject({ rules: [valueObject({ port: 'x' })], tags }), 'rules[0].port'],
    [valueObject({ rules: 'x', tags }), 'rules'],
    [valueObject({ rules: [], tags: valueObject({ 'a b': true }) }), 'tags["a b"]'],
    [valueObject({ rules: [] }), 'tags'],
    [valueObject({ rules: [], tags, other: null }), 'other'],
    ['text', ''],
  ]
  test.each(cases)('%j is rejected at %s', (value, place) => {
    for (const encode of [valueToMsgpack, valueToJson]) {
      try {
        encode(value, type)
        expect.unreachable()
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError)
        expect(pathToText((error as ValueError).path)).toBe(place)
      }
    }
  })
})

function onlyValueErrors(body: () => unknown): void {
  try {
    body()
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError)
  }
}
