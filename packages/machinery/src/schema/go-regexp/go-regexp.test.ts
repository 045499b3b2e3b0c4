import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GoRegexp } from './go-regexp.ts'
import { RegexpSyntaxError } from './syntax.ts'

const matching: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'my-name', true],
  ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'my-name-', false],
  ['^\\d{1,3}(\\.\\d{1,3}){3}$', '10.0.0.255', true],
  ['^\\d{1,3}(\\.\\d{1,3}){3}$', '10.0.0', false],
  ['b', 'abc', true],
  ['^b', 'abc', false],
  ['(?i)^HELLO$', 'hello', true],
  ['(?m)^b$', 'a\nb\nc', true],
  ['^a.c$', 'a\nc', false],
  ['(?s)^a.c$', 'a\nc', true],
  ['^(foo|bar|)$', '', true],
  ['\\bfoo\\b', 'a foo b', true],
  ['\\bfoo\\b', 'afoob', false],
  ['^[^/]+/[^/]+$', 'a/b', true],
  ['^\\p{L}+$', 'äß', true],
  ['^\\p{Greek}$', 'α', true],
  ['^[[:alpha:]_]+$', 'ab_', true],
  ['^[\\w.-]+@[\\w.-]+$', 'a.b@c-d.e', true],
  ['^\\Qa.b\\E$', 'a.b', true],
  ['^\\Qa.b\\E$', 'axb', false],
  ['^(?P<year>\\d{4})$', '2026', true],
  ['^.$', '😀', true],
  ['^\\x41\\x{42}$', 'AB', true],
  ['^a{2,}$', 'a', false],
  ['^a{2,}$', 'aaa', true],
  ['^[]a]$', ']', true],
  ['^[a-]$', '-', true],
  ['\\Aab\\z', 'ab', true],
]

describe('GoRegexp', () => {
  test.each(matching)('%s on %j', (pattern, text, matches) => {
    expect(new GoRegexp(pattern).test(text)).toBe(matches)
  })

  test.each(['(', 'a**', '[a', '\\', 'a{2,1}', '(?=a)', '(?<!a)', '\\1', '*a', 'a{1001}', '[b-a]', ')'])(
    'rejects %s',
    (pattern) => {
      expect(() => new GoRegexp(pattern)).toThrow(RegexpSyntaxError)
    },
  )

  test.each([
    ['a+', 'baac', [1, 3]],
    ['a+?', 'baac', [1, 2]],
    ['a|ab', 'ab', [0, 1]],
    ['(a|ab)(c|bcd)', 'abcd', [0, 4]],
    ['x*', 'aaa', [0, 0]],
  ] as const)('finds %s in %s at the same position as Go', (pattern, text, [start, end]) => {
    expect(new GoRegexp(pattern).find(text)).toEqual({ start, end })
  })

  test('the automaton and the search agree', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '(a|b)',
      '(ab)',
      'a*',
      'b+',
      'a?',
      '(a|ab)*',
      'b{1,2}',
      '^',
      '$',
    )
    const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 12 }),
        (expression, text) => {
          const regexp = new GoRegexp(expression)
          expect(regexp.test(text)).toBe(regexp.find(text) !== undefined)
          expect(regexp.test(text)).toBe(new RegExp(expression).test(text))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('findAll returns every match once', () => {
    expect(new GoRegexp('[0-9]+').findAll('a1b22c').map(({ start, end }) => 'a1b22c'.slice(start, end))).toEqual([
      '1',
      '22',
    ])
    expect(new GoRegexp('a*').findAll('baac')).toHaveLength(3)
  })

  test.each(['^(a+)+$', '^(a|a)*$', '^(a{1,10}){1,10}$', '(?i)^(a|aa)+$', '(a*)*b*c'])(
    '%s fails in linear time',
    (pattern) => {
      const text = `${'a'.repeat(5000)}!`
      const started = performance.now()
      expect(new GoRegexp(pattern).test(text)).toBe(false)
      expect(performance.now() - started).toBeLessThan(2000)
    },
  )
})
