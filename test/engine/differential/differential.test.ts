import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TerraformRun } from '../../e2e/providers/terraform-run.ts'
import { describeWith } from '../../real-parts/index.ts'
import { SharedSim } from '../scenario.ts'
import { World } from '../world.ts'
import { diceOf, drift, randomCase, refusals } from './configuration.ts'
import { HykubeSide } from './hykube-side.ts'
import { runRound } from './round.ts'
import { TerraformSide } from './terraform-side.ts'

const executable = fileURLToPath(new URL('../../../providers/sim/bin/terraform-provider-sim', import.meta.url))
const seed = Number(process.env.HYKUBE_DIFFERENTIAL_SEED ?? 1)
const rounds = Number(process.env.HYKUBE_DIFFERENTIAL_ROUNDS ?? 1)
const casesAtOnce = 30
// The long form also fails half-way, moves between one and many, and changes outside what is deleted.
const isThorough = process.env.HYKUBE_DIFFERENTIAL_THOROUGH === '1'
// Of a round, this case alone.
const only = process.env.HYKUBE_DIFFERENTIAL_ONLY

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

describeWith(['terraform'], 'the same configurations through Hykube and real terraform', (terraform) => {
  for (let round = 0; round < rounds; round++)
    test(`${casesAtOnce} random configurations and edits, seed ${seed + round}`, { timeout: 600_000 }, async () => {
      const dice = diceOf(seed + round)
      const cases = Array.from({ length: casesAtOnce }, (_, i) => randomCase(i, dice, isThorough))
      const world = join(shared.sim.directory, `hykube-${round}.db`)
      const s = await shared.scenario({ config: { world: `sqlite:${world}` } })
      const run = new TerraformRun(terraform, { sim: executable })
      const differences = await runRound({
        cases: cases.filter(({ number }) => only === undefined || only.split(',').includes(String(number))),
        ours: new HykubeSide(s, new World(world)),
        theirs: new TerraformSide(
          run,
          'provider "sim" {\n  world = "sqlite:world.db"\n}',
          new World(join(run.directory, 'world.db')),
        ),
        dice,
        refusals: isThorough ? refusals : [undefined],
        drift,
        targets: true,
      })
      expect(differences).toEqual([])
    })
})
