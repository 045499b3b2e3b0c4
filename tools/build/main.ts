import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'
import { bundleEntryPoints, bundleProgram, bundleProvider } from './bundle.ts'
import { licensesOf } from './licenses.ts'

/** `npm run build`: creates the contents of the published package. A clone runs without it. */
const directory = join(root, 'dist')
rmSync(directory, { recursive: true, force: true })
const parts = [
  await bundleProgram(directory),
  await bundleEntryPoints(join(directory, 'entry')),
  await bundleProvider(join(directory, 'providers/sim'), 'sim'),
  await bundleProvider(join(directory, 'providers/script'), 'script'),
]
writeFileSync(join(directory, 'LICENSES.txt'), licensesOf(parts.flatMap(({ modules }) => modules)))
const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
process.stderr.write(`dist: ${(bytes / 1e6).toFixed(1)} MB of code\n`)
