import { JsonNumber, type JsonValue } from '@hykube/machinery/json'
import type { JsonSchema, ValidationRule } from '@hykube/machinery/schema'
import { describe, expect, test } from 'vitest'
import { objectRules } from './validation-rules.ts'

const fields: Record<string, JsonSchema> = {
  min: { type: 'integer' },
  max: { type: 'integer' },
  ratio: { type: 'number' },
  name: { type: 'string' },
  'x-y': { type: 'string' },
  in: { type: 'string' },
  port: { 'x-kubernetes-int-or-string': true },
  tags: { type: 'array', items: { type: 'string' } },
  labels: { type: 'object', additionalProperties: { type: 'string' } },
  nested: { type: 'object', properties: { a: { type: 'integer' } } },
  items: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
  when: { type: 'string', format: 'date-time' },
  lasting: { type: 'string', format: 'duration' },
  maybe: { type: 'string', nullable: true },
}

function check(rules: readonly ValidationRule[], spec: JsonValue, old?: JsonValue): string[] {
  const schema: JsonSchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: fields, 'x-kubernetes-validations': rules } },
  }
  const causes = objectRules(schema)!({ spec }, old === undefined ? undefined : { spec: old })
  return causes.map(({ field, message }) => `${field}: ${message}`)
}

const holding: readonly (readonly [rule: string, spec: JsonValue])[] = [
  ['self.min <= self.max', { min: 1, max: 2 }],
  ['self.min + 1 == 2', { min: 1 }],
  ['self.min == 9007199254740993', { min: new JsonNumber('9007199254740993') }],
  ['self.ratio > 0.5', { ratio: 1 }],
  ['self.x__dash__y == "a"', { 'x-y': 'a' }],
  ['self.__in__ == "a"', { in: 'a' }],
  ['self.port == 80 || self.port == "http"', { port: 'http' }],
  ['self.tags.all(t, t.startsWith("a"))', { tags: ['ab', 'ac'] }],
  ['self.tags.exists_one(t, t == "b")', { tags: ['a', 'b'] }],
  ['self.labels.all(k, self.labels[k] != "")', { labels: { 'a/b': 'c' } }],
  ['self.labels.all(k, v, k.size() > 1 && v == "c")', { labels: { 'a/b': 'c' } }],
  ['"a" in self.labels', { labels: { a: 'b' } }],
  ['has(self.nested.a) && self.nested.a > 0', { nested: { a: 1 } }],
  ['self.nested == self.nested', { nested: { a: 1 } }],
  ['self.nested != null && !has(self.nested.a)', { nested: {} }],
  ['has(self.items[0].a) && !has(self.items[1].a)', { items: [{ a: 'x' }, {}] }],
  ['self.items.exists(i, has(i.a))', { items: [{ a: 'x' }, {}] }],
  ['has(self.labels.a) && !has(self.labels.b)', { labels: { a: 'x' } }],
  ['self.when > timestamp("2020-01-01T00:00:00Z")', { when: '2026-01-01T00:00:00Z' }],
  ['self.lasting < duration("2h")', { lasting: '90m' }],
  ['self.?nested.?a.orValue(7) == 7', {}],
  ['dyn(self.maybe) == null', { maybe: null }],
  ['self.name.matches("^[a-z]+$")', { name: 'abc' }],
  ['self.tags.map(t, t.size()).sum() == 3', { tags: ['a', 'bc'] }],
  ['cidr("10.0.0.0/8").containsIP(self.name)', { name: '10.1.2.3' }],
  ['quantity(self.name).isGreaterThan(quantity("1Gi"))', { name: '2Gi' }],
  ['url(self.name).getHostname() == "example.com"', { name: 'https://example.com:8443/a' }],
  ['semver(self.name).major() == 1', { name: '1.2.3' }],
  ['!format.dns1123Label().validate(self.name).hasValue()', { name: 'a-b' }],
  ['sets.contains(self.tags, ["a"])', { tags: ['b', 'a'] }],
  ['"%s-%d".format([self.name, self.min]) == "a-1"', { name: 'a', min: 1 }],
]

describe('rules of a schema', () => {
  test.each(holding)('%s holds for %j', (rule, spec) => {
    expect(check([{ rule }], spec)).toEqual([])
  })

  test('reports a failed rule with its text', () => {
    expect(check([{ rule: 'self.min < self.max' }], { min: 2, max: 1 })).toEqual([
      'spec: Invalid value: failed rule: self.min < self.max',
    ])
  })

  test("reports the rule's message, reason and field", () => {
    const rule = { rule: 'false', message: 'never', reason: 'FieldValueForbidden', fieldPath: '.name' }
    expect(check([rule], { name: 'a' })).toEqual(['spec.name: Forbidden: never'])
    expect(check([{ rule: 'false', reason: 'FieldValueRequired', message: 'm' }], {})).toEqual([
      'spec: Required value: m',
    ])
  })

  test('evaluates messageExpression, and falls back to message', () => {
    const messageExpression = '"min is " + string(self.min)'
    expect(check([{ rule: 'false', messageExpression }], { min: 3 })).toEqual(['spec: Invalid value: min is 3'])
    expect(check([{ rule: 'false', messageExpression, message: 'plain' }], {})).toEqual(['spec: Invalid value: plain'])
  })

  test('treats an evaluation error as a failed rule', () => {
    expect(check([{ rule: 'self.min > 0' }], {})).toEqual([
      'spec: Invalid value: "object": no such key: min evaluating rule: self.min > 0',
    ])
    expect(check([{ rule: 'self.tags[3] == "a"' }], { tags: [] })).toEqual([
      'spec: Invalid value: "object": index out of bounds: 3 evaluating rule: self.tags[3] == "a"',
    ])
  })
})

describe('transition rules', () => {
  const rule = { rule: 'self.name == oldSelf.name', message: 'name is immutable' }

  test('run on update only', () => {
    expect(check([rule], { name: 'a' })).toEqual([])
    expect(check([rule], { name: 'a' }, { name: 'a' })).toEqual([])
    expect(check([rule], { name: 'b' }, { name: 'a' })).toEqual(['spec: Invalid value: name is immutable'])
  })

  test('always run with optionalOldSelf', () => {
    const optional = { rule: 'oldSelf.hasValue() || self.min == 0', optionalOldSelf: true }
    expect(check([optional], { min: 1 })).toHaveLength(1)
    expect(check([optional], { min: 0 })).toEqual([])
    expect(check([optional], { min: 1 }, { min: 0 })).toEqual([])
  })

  test('get the old item with the same list-map key', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            properties: { k: { type: 'string' }, v: { type: 'integer' } },
            'x-kubernetes-validations': [{ rule: 'self.v >= oldSelf.v' }],
          },
        },
      },
    }
    const validate = objectRules(schema)!
    const list = (...items: [string, number][]) => ({ list: items.map(([k, v]) => ({ k, v })) })
    expect(validate(list(['b', 2], ['a', 1]), list(['a', 1], ['b', 2]))).toEqual([])
    expect(validate(list(['b', 1]), list(['a', 1], ['b', 2])).map(({ field }) => field)).toEqual(['list[0]'])
  })

  test('drops failures of unchanged values', () => {
    const failing = { rule: 'self.min > 5' }
    expect(check([failing], { min: 1 }, { min: 1 })).toEqual([])
    expect(check([failing], { min: 2 }, { min: 1 })).toHaveLength(1)
  })
})

describe('costs', () => {
  const long = Array.from({ length: 3000 }, (_, index) => `item ${index}`)

  test('limit one expression', () => {
    const rule = 'self.tags.all(a, self.tags.all(b, a != "" && b != ""))'
    const started = performance.now()
    expect(check([{ rule }], { tags: long })[0]).toContain('operation cancelled: actual cost limit exceeded')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('limit all expressions of an object together', () => {
    const rules = Array.from({ length: 300 }, () => ({
      rule: 'self.tags.all(a, self.tags[0] != "z" && a != "longer" && a != "x" && a != "y")',
    }))
    const causes = check(rules, { tags: long })
    expect(causes).toHaveLength(1)
    expect(causes[0]).toContain('validation failed due to running out of cost budget')
  })

  test('count the length of a traversed list', () => {
    const rule = 'self.tags.all(a, a in self.tags && a in self.tags)'
    expect(check([{ rule }], { tags: long })[0]).toContain('actual cost limit exceeded')
  })

  test('limit regular expressions', () => {
    expect(check([{ rule: 'self.name.matches("^(a+)+$")' }], { name: `${'a'.repeat(1000)}!` })).toHaveLength(1)
  })
})
