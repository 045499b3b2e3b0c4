import { expect, test } from 'vitest'
import { attribute, block, nestedAttribute, nestedBlock } from '../terraform/testing/index.ts'
import { adviceOf, type ErrorAdvice } from './error-advice.ts'

const things = block(
  ['a', 'b', 'size', 'required_size'].map((name) => attribute(name)),
  [nestedBlock('disk', 'list', [attribute('kind')])],
)
const nested = block([nestedAttribute('one', 'single', [attribute('key')])])

test.each<[string, ErrorAdvice]>([
  ['Conflicting configuration arguments: "a": conflicts with b', { kind: 'many', names: ['a'] }],
  ['"a": only one of `a,b` can be specified, but `a,b` were specified.', { kind: 'many', names: ['a', 'b'] }],
  ['"a": one of `a,b` must be specified', { kind: 'few', names: ['a', 'b'] }],
  ['"a": all of `a,b` must be specified', { kind: 'all', names: ['a', 'b'] }],
  ['2 attributes specified when one (and only one) of [a,b] is required', { kind: 'many', names: ['a', 'b'] }],
  ['No attribute specified when one (and only one) of [a,b] is required', { kind: 'few', names: ['a', 'b'] }],
  ['At least one of these attributes must be configured: [a,b]', { kind: 'few', names: ['a', 'b'] }],
  ['At least one attribute out of [a,b] must be specified', { kind: 'few', names: ['a', 'b'] }],
  ['These attributes must be configured together: [a,b]', { kind: 'all', names: ['a', 'b'] }],
  ['These attributes cannot be configured together: [a,b]', { kind: 'many', names: ['a', 'b'] }],
  ['Attribute "a" cannot be specified when "b" is specified', { kind: 'many', names: ['a', 'b'] }],
  ['Attribute "b" must be specified when "a" is specified', { kind: 'all', names: ['b', 'a'] }],
  ['`b` must be specified when `a` is 1', { kind: 'all', names: ['b', 'a'] }],
  ['The argument "a" is required, but no definition was found.', { kind: 'all', names: ['a'] }],
  ['expected "size" to be in the range (1 - 128), got 0', { kind: 'wrong', names: ['size'] }],
  ['"disk.0.kind": only one of `disk.0.kind,a` can be specified', { kind: 'many', names: ['disk.kind', 'a'] }],
  ['the size is wrong', { kind: 'wrong', names: [] }],
])('%s', (detail, advice) => {
  expect(adviceOf(things, { severity: 'error', summary: 'Invalid', detail })).toEqual(advice)
})

test('names the attribute of the diagnostic first, without indexes', () => {
  const attribute = [
    { kind: 'attribute', name: 'disk' },
    { kind: 'index', index: 2 },
    { kind: 'attribute', name: 'kind' },
  ] as const
  const diagnostic = { severity: 'error', summary: 'not good, see "a"', attribute } as const
  expect(adviceOf(things, diagnostic)).toEqual({ kind: 'wrong', names: ['disk.kind', 'a'] })
})

test('knows members of nested attributes', () => {
  const diagnostic = { severity: 'error', summary: '"one.key" and "one.other" are odd' } as const
  expect(adviceOf(nested, diagnostic).names).toEqual(['one.key'])
})
