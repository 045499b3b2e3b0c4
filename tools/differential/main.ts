// `npm run differential -- [--cases N] [--seed N]`: drives Hykube and real Terraform with the same provider and compares plans and
// worlds, 500 random configurations with their edits by default. Ends with 1 when they differ, or when there is no Terraform.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { terraform } from '../../test/real-parts/terraform.ts'
import { root } from '../root.ts'

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '500' }, seed: { type: 'string', default: '1' } },
})
const casesInRound = 30

if (terraform.locate('') === undefined) {
  console.error('there is no terraform on this machine to compare with: install it')
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
