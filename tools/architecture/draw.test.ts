import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { withDrawing } from './draw.ts'
import { readArchitecture } from './table.ts'

test('docs/architecture.md matches architecture.json (npm run architecture updates it)', () => {
  const document = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  expect(document).toBe(withDrawing(document, readArchitecture(root)))
})

test('a document without markers is rejected', () => {
  expect(() => withDrawing('nothing', readArchitecture(root))).toThrow('lacks the markers')
})
