// `npm run differential -- [--cases N] [--seed N]`: runs Hykube and real Terraform with the same providers and compares
// plans and resulting resources: by default 500 random configurations of the simulated cloud with edits, and 30 for
// each of three Go providers. Exits with 1 on differences, or when Terraform or a provider is missing.
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
  for (const { name, why, remedy } of missing)
    console.error(`${name} is required for the comparison: ${why}; ${remedy}`)
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
