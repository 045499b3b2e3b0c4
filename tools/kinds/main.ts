import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateTables } from './generate.ts'
import { downloadRelease } from './modules.ts'

// `npm run kinds`: generates the tables of built-in kinds from a Kubernetes release.
const directory = join(import.meta.dirname, '../../packages/server/src/kinds/generated')
mkdirSync(directory, { recursive: true })
for (const [name, text] of generateTables(downloadRelease())) {
  writeFileSync(join(directory, name), text)
  process.stdout.write(`wrote ${name}, ${text.length} bytes\n`)
}
