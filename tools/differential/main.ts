// `npm run differential -- [--cases N] [--seed N]`: drives Hykube and real Terraform with the same providers and compares plans and
// worlds: 500 random configurations of the simulated cloud with their edits by default, and 30 for each of three providers in Go.
// Ends with 1 when they differ, or when Terraform or one of the providers is not there.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findRealPart } from '../../test/real-parts/obtain.ts'
import { root } from '../root.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const casesInRound = 30

const wanted = ['terraform', ...['frame', 'legacy', 'time'].map((name) => `terraform-provider-${name}`)]
const missing = wanted.map(findRealPart).filter((part) => part.kind === 'missing')
if (missing.length > 0) {
  for (const { name, why, remedy } of missing) console.error(`there is no ${name} to compare with: ${why}; ${remedy}`)
  process.exit(1)
}
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/engine/differential'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      HYKUBE_DIFFERENTIAL_THOROUGH: '1',
      HYKUBE_DIFFERENTIAL_SEED: values.seed,
      HYKUBE_DIFFERENTIAL_ROUNDS: String(Math.ceil(Number(values.cases) / casesInRound)),
    },
  },
)
process.exit(status ?? 1)
