import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../root.ts'
import { referencePages } from './pages.ts'

/** `node tools/run.cjs reference`: generates docs/reference from the program. */
for (const [name, text] of await referencePages()) {
  const file = join(root, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
