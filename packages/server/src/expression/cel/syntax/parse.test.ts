import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandMacros } from './macros.ts'
import { parseExpression } from './parse.ts'
import { SyntaxFailure } from './syntax.ts'

function problemsOf(text: string): string[] {
  try {
    expandMacros(parseExpression(text))
    return []
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error
    return error.problems.map(({ at, message }) => `${at}: ${message}`)
  }
}

const beginnings =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

describe('syntax errors', () => {
  // The messages of kube-apiserver 1.36.
  test.each([
    ['a ==', [`4: Syntax error: mismatched input '<EOF>' expecting ${beginnings}`]],
    ['a 1', ["2: Syntax error: extraneous input '1' expecting <EOF>"]],
    ['(a', ["2: Syntax error: missing ')' at '<EOF>'"]],
    ['a..b', ["2: Syntax error: no viable alternative at input '..'"]],
    [
      'a = 1',
      ["2: Syntax error: token recognition error at: '= '", "4: Syntax error: extraneous input '1' expecting <EOF>"],
    ],
    ['[1, 2', ["5: Syntax error: mismatched input '<EOF>' expecting {']', ','}"]],
    ['1 +* 2', [`3: Syntax error: extraneous input '*' expecting ${beginnings}`]],
    ['for == 1', ['0: reserved identifier: for']],
    ['9223372036854775808', ['0: invalid int literal']],
    ['has(a)', ['4: invalid argument to has() macro']],
    ['a.map(1, 2)', ['6: argument is not an identifier']],
    ['a.all(b.c, true)', ['7: argument must be a simple name']],
    ['a.all(k, k, true)', ['9: duplicate variable name: k']],
  ])('%s', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems)
  })

  test('limits nesting', () => {
    expect(problemsOf(`${'('.repeat(300)}1${')'.repeat(300)}`)[0]).toContain('recursion limit exceeded')
  })
})

test('applies operator precedence and associativity', () => {
  const shape = (text: string): unknown => shapeOf(parseExpression(text))
  expect(shape('1 + 2 * 3 - 4')).toEqual(['_-_', ['_+_', 1n, ['_*_', 2n, 3n]], 4n])
  expect(shape('!a || b && c == d')).toEqual(['_||_', ['!_', 'a'], ['_&&_', 'b', ['_==_', 'c', 'd']]])
  expect(shape('a ? b : c ? d : e')).toEqual(['_?_:_', 'a', 'b', ['_?_:_', 'c', 'd', 'e']])
  expect(shape('-1 - -a')).toEqual(['_-_', -1n, ['-_', 'a']])
})

test('parses any text or reports problems', () => {
  const piece = fc.constantFrom(
    'a',
    '.',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '1',
    '"x"',
    ',',
    '?',
    ':',
    '&&',
    '!',
    '-',
    ' in ',
    'b"\\x',
    '.all(x, ',
    '==',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      expect(Array.isArray(problemsOf(pieces.join('')))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function shapeOf(expr: ReturnType<typeof parseExpression>): unknown {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind === 'literal') return expr.value
  return expr.kind === 'call' ? [expr.name, ...expr.args.map(shapeOf)] : expr.kind
}
