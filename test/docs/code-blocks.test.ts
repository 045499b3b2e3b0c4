import { expect, test } from 'vitest'
import { codeBlocks, missingLine, stepsOf } from './code-blocks.ts'

const document = `
# A guide

\`\`\`sh
echo one
\`\`\`

\`\`\`text
one
\`\`\`

<!-- not run: it never ends -->
\`\`\`sh
sleep infinity
\`\`\`

<!-- fails -->

\`\`\`sh
false
\`\`\`

\`\`\`yaml
a: 1
\`\`\`

\`\`\`text
an output of nothing
\`\`\`
`

test('blocks are found with their lines and notes', () => {
  expect(codeBlocks(document).map(({ line, language, note }) => [line, language, note])).toEqual([
    [4, 'sh', ''],
    [8, 'text', ''],
    [13, 'sh', 'not run: it never ends'],
    [19, 'sh', 'fails'],
    [23, 'yaml', ''],
    [27, 'text', ''],
  ])
})

test('every sh block without a reason against it is run, with its expected output', () => {
  expect(stepsOf(document)).toEqual([
    { line: 4, commands: 'echo one', fails: false, shows: ['one'] },
    { line: 19, commands: 'false', fails: true, shows: [] },
  ])
})

test.each([
  { reason: 'all there, in order', shows: ['a', 'c'], output: 'a\nb\nc', missing: undefined },
  { reason: 'in another order', shows: ['c', 'a'], output: 'a\nb\nc', missing: 'a' },
  { reason: 'columns may be wider', shows: ['A  B'], output: 'A       B', missing: undefined },
  { reason: 'dots stand for anything', shows: ['id = "…"'], output: 'id = "net-1"', missing: undefined },
  { reason: 'dots stand for nothing too', shows: ['a … b …'], output: 'a b', missing: undefined },
  { reason: 'a whole line is meant', shows: ['id'], output: 'identity', missing: 'id' },
])('expected output: $reason', ({ shows, output, missing }) => {
  expect(missingLine(shows, output)).toBe(missing)
})
