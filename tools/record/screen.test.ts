import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { Screen } from './screen.ts'
import { commands } from './session.ts'
import { terminalSvg } from './svg.ts'

const control = '\x1b'

function seen(text: string): string[] {
  const screen = new Screen()
  screen.write(text)
  return screen.lines().map((line) => line.map((span) => span.text).join(''))
}

test.each([
  { reason: 'lines without trailing empty ones', text: 'a\r\nb\r\n\r\n', lines: ['a', 'b'] },
  { reason: 'a carriage return as overwriting', text: 'working…\rdone    ', lines: ['done    '] },
  {
    reason: 'cursor movement and erasing',
    text: `one\r\ntwo\r\n${control}[2A${control}[0Jthree\r\n`,
    lines: ['three'],
  },
  { reason: 'erasing to the end of the line', text: `abc\r${control}[1Gx${control}[K`, lines: ['x'] },
  { reason: 'cursor visibility as nothing', text: `${control}[?25la${control}[?25h`, lines: ['a'] },
])('renders $reason', ({ text, lines }) => {
  expect(seen(text)).toEqual(lines)
})

test('keeps colours and weights until they are reset', () => {
  const screen = new Screen()
  screen.write(`${control}[32m+${control}[39m ${control}[1mb${control}[22m`)
  expect(screen.lines()).toEqual([
    [
      { text: '+', color: 2, bold: false, dim: false },
      { text: ' ', color: undefined, bold: false, dim: false },
      { text: 'b', color: undefined, bold: true, dim: false },
    ],
  ])
})

test('the SVG contains the text with markup escaped', () => {
  const svg = terminalSvg([[{ text: '<a> & b', color: 1, bold: true, dim: false }]], 80)
  expect(svg).toContain('&lt;a&gt; &amp; b')
  expect(svg).toContain('font-weight="bold"')
})

test('docs/terminal.svg shows the recorded commands (node tools/run.cjs record updates it)', () => {
  const shown = readFileSync(join(root, 'docs/terminal.svg'), 'utf8').replaceAll(/<[^>]*>/g, '')
  for (const command of commands) expect(shown).toContain(`$ ${command}`)
})
