import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { templateSyntax } from '../template-syntax.ts'
import { parseTemplate, TemplateError, type TemplatePart } from './template.ts'

/** Literals as strings, each expression in a list. */
function shape(parts: readonly TemplatePart[]): (string | [string])[] {
  return parts.map((part) => (part.kind === 'literal' ? part.text : [part.source]))
}

describe('a template', () => {
  test.each<[string, (string | [string])[]]>([
    ['', []],
    ['plain', ['plain']],
    ['${a.b.c}', [['a.b.c']]],
    ['x-${a.b.c}-y', ['x-', ['a.b.c'], '-y']],
    ['${a.b.c}${d.e.f}', [['a.b.c'], ['d.e.f']]],
    ['$${a}', ['${a}']],
    ['$$${a}', ['$${a}']],
    ['cost: $5 {x}', ['cost: $5 {x}']],
    ['${{"a": {"b": 1}}.a.b}!', [['{"a": {"b": 1}}.a.b'], '!']],
    ['${"}"}', [['"}"']]],
    ["${'}'}", [["'}'"]]],
    ['${"\\"}"}', [['"\\"}"']]],
    ['${"""a"}"""}', [['"""a"}"""']]],
    ['${a.b.c // }\n}', [['a.b.c // }\n']]],
    ['${"//"}', [['"//"']]],
    ['${"${x}"}', [['"${x}"']]],
  ])('parses %j', (text, parts) => {
    expect(shape(parseTemplate(text).parts)).toEqual(parts)
  })

  test('has the offsets of its expressions', () => {
    expect(parseTemplate('ab${ c.d }').parts[1]).toEqual({ kind: 'expression', source: ' c.d ', start: 4, end: 9 })
  })

  test.each([
    ['${', 0],
    ['a ${b', 2],
    ['${"}', 2],
    ['${{"a": 1}', 0],
    ['${}', 0],
    ['x${ }', 1],
    ['${a // }', 0],
    [`\${${'a'.repeat(70_000)}}`, 0],
    ['${a.b}'.repeat(1100), undefined],
  ])('refuses invalid templates with a position (%#)', (text, position) => {
    const error = failureOf(() => parseTemplate(text))
    expect(error).toBeInstanceOf(TemplateError)
    if (position !== undefined) expect((error as TemplateError).position).toBe(position)
  })

  test('accepts a string of any length without expressions', () => {
    expect(parseTemplate('a'.repeat(1_000_000)).parts).toHaveLength(1)
  })

  test('fails only with TemplateError', () => {
    const text = fc.string({
      unit: fc.constantFrom('${', '}', '{', '"', "'", '\\', '/', '\n', 'a', '.', '[*]', '(', '!', '-'),
    })
    fc.assert(
      fc.property(text, (given) => {
        expect(typeof (templateSyntax.problem(given) ?? '')).toBe('string')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the syntax of templates', () => {
  test.each([
    ['plain', false, false],
    ['$${a}', false, false],
    ['${a.b.c}', true, true],
    ['${a.b.c} ', true, false],
    ['${a.b.c}${a.b.c}', true, false],
    ['x${a.b.c}', true, false],
    ['$${a}${a.b.c}', true, false],
    ['${a', true, false],
  ])('%j: holds an expression %s, is whole %s', (text, holds, whole) => {
    expect(templateSyntax.holdsExpression(text)).toBe(holds)
    expect(templateSyntax.isWhole(text)).toBe(whole)
  })

  test.each([
    ['${a.b.c', 'is not terminated'],
    ['${a.b.}', 'at character'],
    ['line\n${a.b.c +}', 'line 2'],
    ['${var.x}', 'var is not supported'],
    ['${aws_vpc}', 'write aws_vpc.NAME'],
    ['${secret["a"]}', 'secret["NAME"].KEY'],
    ['${each.index}', 'each has the attributes key and value'],
    ['${nope(1)}', 'no function nope'],
    ['${"a".nope()}', 'no method nope'],
    ['${a["x/y/z"].id}', 'NAMESPACE/NAME'],
    ['${has()}', 'has() takes an attribute'],
    ['${has(a.b.c, 1)}', 'has() takes an attribute'],
    ['${cel.bind()}', 'cel.bind() takes a name'],
    ['${cel.bind(x, 1)}', 'cel.bind() takes a name'],
    ['${aws_vpc.my-vpc.id}', 'write names with dashes as TYPE["NAME"]'],
    ['${aws_vpc.my-own-vpc.id}', 'names with dashes'],
    ['${a.b[*]c}', '[*] must be followed by a dot or an index'],
    [`\${${'('.repeat(500)}1${')'.repeat(500)}}`, 'too large'],
    [`\${${'1+'.repeat(8000)}1}`, 'too large'],
    [`\${"${'a'.repeat(20_000)}"}`, '16384'],
  ])('reports a syntax error (%#)', (text, problem) => {
    expect(templateSyntax.problem(text)).toContain(problem)
  })

  test('reports no error for a valid template', () => {
    expect(templateSyntax.problem('a ${aws_vpc.main.id} b')).toBeUndefined()
  })
})

function failureOf(body: () => unknown): unknown {
  try {
    body()
  } catch (error) {
    return error
  }
  return undefined
}
