import type { JsonSchema } from '@hykube/machinery/schema'
import { describe, expect, test } from 'vitest'
import { compileRulesOf } from './rule-compiler.ts'
import { SchemaTypes } from './schema-types.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
  },
}

function failureOf(rule: string): string | undefined {
  return compileRulesOf([{ rule }], schema, new SchemaTypes(schema, 'value'))[0]!.failure
}

describe('an invalid rule', () => {
  test('is reported with the position of an undefined field, as by cel-go', () => {
    expect(failureOf('self.missing == 1')).toBe(
      "compilation failed: ERROR: <input>:1:5: undefined field 'missing'\n | self.missing == 1\n | ....^",
    )
  })

  test.each([
    ['self.count + "a" == "b"', "found no matching overload for '_+_' applied to '(int, string)'"],
    ['self.name > 1', "found no matching overload for '_>_' applied to '(string, int)'"],
    ['other == 1', "undeclared reference to 'other' (in container '')"],
    ['nothing(self.count)', "undeclared reference to 'nothing' (in container '')"],
    ['self.name.startsWith(1)', "found no matching overload for 'startsWith' applied to 'string.(int)'"],
    ['self.open.x == 1', "undefined field 'open'"],
    ['has(self.nmae)', "undefined field 'nmae'"],
    ['!has(self.name) || self.tags.all(t, has(self.nmae))', "undefined field 'nmae'"],
    ['self.count ==', 'Syntax error'],
  ])('reports %s', (rule, words) => {
    expect(failureOf(rule)).toContain(words)
  })

  test("is one that isn't bool, or whose message isn't string", () => {
    expect(failureOf('self.count')).toBe('cel expression must evaluate to a bool')
    const [rule] = compileRulesOf(
      [{ rule: 'true', messageExpression: 'self.count' }],
      schema,
      new SchemaTypes(schema, 'value'),
    )
    expect(rule!.messageFailure).toBe('messageExpression must evaluate to a string')
  })
})

describe('a valid rule', () => {
  test('knows whether it uses oldSelf', () => {
    const uses = (rule: string) => compileRulesOf([{ rule }], schema, new SchemaTypes(schema, 'value'))[0]!.usesOldSelf
    expect(uses('self.count in [oldSelf.count]')).toBe(true)
    expect(uses('self.name in oldSelf.tags')).toBe(true)
    expect(uses('self.name == "oldSelf"')).toBe(false)
  })

  test('of a resource can use metadata.name and generateName only', () => {
    const failure = (rule: string) =>
      compileRulesOf([{ rule }], schema, new SchemaTypes(schema, 'resource'))[0]!.failure
    expect(failure('self.metadata.name == "a" && self.kind == "B"')).toBeUndefined()
    expect(failure('self.metadata.labels.a == "b"')).toContain("undefined field 'labels'")
  })
})
