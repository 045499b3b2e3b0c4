import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../root.ts'

/**
 * `npm run bench -- <name> [arguments]`: runs a benchmark. Each prints a table for people and one JSON line per row for
 * programs.
 */
const [name, ...args] = process.argv.slice(2)
const benches = globSync('bench/*/main.ts', { cwd: root }).map((file) => dirname(file).slice('bench/'.length))

if (name === undefined || !benches.includes(name)) {
  process.stderr.write(
    `usage: npm run bench -- <name> [arguments]\navailable benchmarks: ${benches.sort().join(', ')}\n`,
  )
  process.exitCode = 64
} else {
  const file = join(root, 'bench', name, 'main.ts')
  process.exitCode =
    spawnSync(process.execPath, ['--expose-gc', file, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1
}
