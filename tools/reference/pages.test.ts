import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { groupsOf } from './commands.ts'
import { referencePages } from './pages.ts'

test('docs/reference matches the program (node tools/run.cjs reference updates it)', {
  timeout: 120_000,
}, async () => {
  for (const [name, text] of await referencePages()) expect(readFileSync(join(root, name), 'utf8')).toBe(text)
})

test('parses command groups from the help without options', () => {
  const help =
    'Options:\n  -h, --help  help\n\nServer:\n  serve  run\n         on and on\n  demo   see\n\nExamples:\n  hykube serve\n'
  expect(groupsOf(help)).toEqual([{ name: 'Server', commands: ['serve', 'demo'] }])
})
