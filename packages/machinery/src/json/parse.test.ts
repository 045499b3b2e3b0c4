import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonError } from './json-error.ts'
import { JsonNumber } from './json-number.ts'
import type { JsonObject } from './json-value.ts'
import { parseJson, parseJsonText } from './parse.ts'
import { stringifyJson } from './stringify.ts'

describe('parseJson', () => {
  it('returns the same values as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        // Compared as text, because JSON.stringify writes -0 as 0.
        expect(stringifyJson(parseJsonText(text).value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const alphabet = fc.constantFrom(...'{}[]":, \n\\u0d8truefalsn1-.eE+x\u0001é')
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 12 }), (characters) => {
        const text = characters.join('')
        expect(accepts(() => parseJsonText(text))).toBe(accepts(() => JSON.parse(text)))
      }),
      { numRuns: 5_000 },
    )
  })

  describe('duplicate keys', () => {
    const cases: readonly [text: string, duplicates: readonly string[], value: unknown][] = [
      ['{"a":1,"a":2}', ['a'], { a: 2 }],
      ['{"spec":{"foo":1,"foo":2,"foo":3}}', ['spec.foo'], { spec: { foo: 3 } }],
      ['{"c":[{"x":1},{"x":1,"x":2}]}', ['c[1].x'], { c: [{ x: 1 }, { x: 2 }] }],
      ['[[{"a":1,"a":1}]]', ['[0][0].a'], [[{ a: 1 }]]],
      ['{"a":1,"\\u0061":2}', ['a'], { a: 2 }],
      ['{"a":{"b":1},"c":{"b":1}}', [], { a: { b: 1 }, c: { b: 1 } }],
      ['{"a":":\\":","b":"{"}', [], { a: ':":', b: '{' }],
    ]
    it.each(cases)('%s reports %j', (text, duplicates, value) => {
      expect(parseJsonText(text)).toEqual({ value, duplicates })
    })

    it('are reported at most a hundred times', () => {
      const keys = Array.from({ length: 200 }, (_, index) => `"k${index}":1,"k${index}":2`).join(',')
      expect(parseJsonText(`{${keys}}`).duplicates).toHaveLength(100)
    })
  })

  describe('numbers', () => {
    it.each(['0', '-1', '1.5', '9007199254740992', '0.1', '123456789012345.5', '1e3', '9007199254740991'])(
      'are plain when a double represents them exactly: %s',
      (text) => expect(parseJsonText(text).value).toBe(Number(text)),
    )

    it.each([
      '9007199254740993',
      '-9223372036854775807',
      '18446744073709551616',
      '0.1000000000000000055511151231257827',
      '1e400',
      '1e-400',
      '3.14159265358979323846',
    ])('keep their text when a double does not represent them: %s', (text) => {
      const { value } = parseJsonText(`{"n":[${text}]}`)
      expect((value as { n: unknown[] }).n[0]).toEqual(new JsonNumber(text))
      expect(stringifyJson(value)).toBe(`{"n":[${text}]}`)
    })

    it('keep every digit of any integer', () => {
      fc.assert(
        fc.property(fc.bigInt(), (integer) => {
          expect(stringifyJson(parseJsonText(`[${integer}]`).value)).toBe(`[${integer}]`)
        }),
      )
    })
  })

  it('treats __proto__ as an ordinary key', () => {
    const text = '{"__proto__":{"admin":true},"a":1}'
    const { value } = parseJsonText(text)
    expect(Object.keys(value as JsonObject)).toEqual(['__proto__', 'a'])
    expect((value as JsonObject).admin).toBeUndefined()
    expect(stringifyJson(value)).toBe(text)
    expect(stringifyJson(parseJsonText('{"a":1,"a":2,"__proto__":{"b":1}}').value)).toBe('{"a":2,"__proto__":{"b":1}}')
  })

  it('replaces unpaired surrogates', () => {
    expect(parseJsonText('"\\ud800x"').value).toBe('\ufffdx')
    expect(parseJsonText('"\\ud83d\\ude00"').value).toBe('😀')
  })

  describe('rejects', () => {
    const cases: readonly [text: string, message: string][] = [
      ['', 'unexpected end of JSON input'],
      ['{', 'unexpected end of JSON input'],
      ['"abc', 'unexpected end of JSON input'],
      ['x', "invalid character 'x' looking for beginning of value"],
      ['{x', "invalid character 'x' looking for beginning of object key string"],
      ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
      ['{"a" 1}', "invalid character '1' after object key"],
      ['{"a":1 "b":2}', "invalid character '\"' after object key:value pair"],
      ['[1 2]', "invalid character '2' after array element"],
      ['{} {}', "invalid character '{' after top-level value"],
      ['01', "invalid character '1' after top-level value"],
      ['"\u0001"', "invalid character '\\x01' in string literal"],
      ['"a\nb"', "invalid character '\\n' in string literal"],
      ['"\\x"', "invalid character 'x' in string escape code"],
      ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
      ['trux', "invalid character 'x' in literal true (expecting 'e')"],
      ['-a', "invalid character 'a' in numeric literal"],
      ['1.', 'unexpected end of JSON input'],
      ['1.x', "invalid character 'x' after decimal point in numeric literal"],
      ['1ex', "invalid character 'x' in exponent of numeric literal"],
      ["'a'", "invalid character '\\'' looking for beginning of value"],
    ]
    it.each(cases)('%j: %s', (text, message) => {
      expect(errorOf(() => parseJsonText(text))).toBe(message)
    })

    it('bytes that are not UTF-8', () => {
      expect(errorOf(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22)))).toBe('invalid UTF-8 in JSON input')
      expect(() => parseJson(Uint8Array.of(0x22, 0xc0, 0xaf, 0x22))).toThrow(JsonError)
    })

    it('more fields in one object, or objects in one list, than maximumMembers', () => {
      const limited = (text: string) => errorOf(() => parseJsonText(text, { maximumMembers: 2 }))
      const message = 'exceeded max of 2 fields of one object, or objects in one list'
      expect(limited('{"a":{"b":[1,2,3,4],"c":":::"},"e":[{"f":1},{"g":[[1],[2]]}]}')).toBeUndefined()
      expect(limited('{"a":{"b":1,"c":2,"d":3}}')).toBe(message)
      expect(limited('{"a":[{},{},{}]}')).toBe(message)
      expect(limited('}]}{"a":1,"b":2}}')).not.toBe(message)
    })

    it('more values than maximumValues, of any kind', () => {
      const limited = (text: string) => errorOf(() => parseJsonText(text, { maximumValues: 4 }))
      expect(limited('{"a":[1,2],"b":",,,,"}')).toBeUndefined()
      for (const text of [
        '[1,2,3,4,5]',
        '[[],[],[]]',
        '{"a":{},"b":{},"c":{}}',
        '[[[[[]]]]]',
        '{"a":1,"a":1,"a":1,"a":1,"a":1}',
      ])
        expect(limited(text)).toBe('exceeded max of 4 values')
    })

    it('nesting beyond maximumDepth, before parsing', () => {
      const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
      expect(parseJsonText(nested(1_000)).duplicates).toEqual([])
      expect(errorOf(() => parseJsonText(nested(1_001)))).toBe('exceeded max depth of 1000')
      expect(() => parseJsonText('{"a":'.repeat(1_000_000))).toThrow(JsonError)
      expect(() => parseJsonText(`${nested(3)}`, { maximumDepth: 2 })).toThrow(JsonError)
    })
  })
})

function accepts(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

function errorOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof JsonError ? error.message : String(error)
  }
}
