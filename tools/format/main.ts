import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../root.ts'

/** `npm run format`: formats every file and applies lint fixes. */
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
process.exitCode =
  spawnSync(process.execPath, [biome, 'check', '--write', '.'], { cwd: root, stdio: 'inherit' }).status ?? 1
