import type { JsonSchema, ValidationRule } from '@hykube/machinery/schema'
import { describe, expect, test } from 'vitest'
import { ruleProblems } from './rule-validation.ts'

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer' }

function list(items: JsonSchema, maxItems?: number): JsonSchema {
  return { type: 'array', items, ...(maxItems !== undefined && { maxItems }) }
}

function problems(properties: Record<string, JsonSchema>, ...rules: string[]): string[] {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties, 'x-kubernetes-validations': rules.map((rule): ValidationRule => ({ rule })) },
    },
  }
  return ruleProblems(schema, 'schema', false).map(({ field, message }) => `${field}: ${message}`)
}

function factorOf(found: readonly string[]): string | undefined {
  return /estimated rule cost exceeds budget by factor of (.*?) \(/.exec(found[0] ?? '')?.[1]
}

describe('the estimated cost of a rule', () => {
  // The factors are those of kube-apiserver 1.36.
  test.each<[string, Record<string, JsonSchema>, string, string | undefined]>([
    ['a list without bound', { a: list(text) }, 'self.a.all(x, x == "a")', undefined],
    ['a list of lists without bounds', { a: list(list(whole)) }, 'self.a.all(x, x.all(y, y > 1))', 'more than 100x'],
    ['a list of lists with bounds', { a: list(list(whole, 10), 10) }, 'self.a.all(x, x.all(y, y > 1))', undefined],
    ['a list with itself', { a: list(whole, 2000) }, 'self.a.all(x, self.a.all(y, x != y))', '2.0x'],
    ['a shorter list with itself', { a: list(whole, 1000) }, 'self.a.all(x, self.a.all(y, x != y))', undefined],
    ['a text in a text', { a: text, b: text }, 'self.a.contains(self.b)', 'more than 100x'],
    [
      'a name in a text',
      { a: text },
      'format.dns1123Label().validate(self.a).hasValue() || isQuantity(self.a)',
      '1.038091x',
    ],
  ])('%s', (_, properties, rule, factor) => {
    expect(factorOf(problems(properties, rule))).toBe(factor)
  })

  test('names the missing bounds', () => {
    expect(problems({ a: text, b: text }, 'self.a.contains(self.b)')).toEqual([
      'schema.properties[spec].x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
      'schema.properties[spec].x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
      'schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)',
    ])
  })

  test('adds up over all rules', () => {
    const rules = Array.from({ length: 30 }, () => 'self.a.all(x, self.a.all(y, x != y))')
    const found = problems({ a: list(whole, 1000) }, ...rules)
    expect(found.filter((problem) => problem.includes('contributed to'))).toHaveLength(4)
    expect(found.at(-1)).toContain('estimated rule cost total')
  })

  test('is multiplied by the places where the rule applies', () => {
    const item: JsonSchema = {
      type: 'string',
      maxLength: 100,
      'x-kubernetes-validations': [{ rule: 'self.contains("abc")' }],
    }
    expect(factorOf(problems({ a: list(item) }))).toBe('4.3x')
    expect(factorOf(problems({ a: list(item, 1000) }))).toBeUndefined()
  })

  test('is ignored for a schema that was accepted before', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: list(whole, 2000) },
      'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.all(y, x != y))' }],
    }
    expect(ruleProblems(schema, 'schema', false)).toHaveLength(1)
    expect(ruleProblems(schema, 'schema', true)).toEqual([])
  })
})
