import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withDrawing } from '../architecture/draw.ts'
import { readArchitecture } from '../architecture/table.ts'
import { root } from '../root.ts'

/** `npm run architecture`: updates docs/architecture.md from architecture.json. */
const file = join(root, 'docs/architecture.md')
writeFileSync(file, withDrawing(readFileSync(file, 'utf8'), readArchitecture(root)))
