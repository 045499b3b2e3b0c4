import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Scenario, SharedSim } from '../scenario.ts'
import { losingMarks, type MarkName } from './losing-marks.ts'
import { play } from './play.ts'
import { type Life, lives } from './step.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const sequences = Number(process.env.HYKUBE_ORACLE_SEQUENCES ?? 200)
const seed = Number(process.env.HYKUBE_ORACLE_SEED ?? 20261116)

async function playAlone(life: Life, lost?: MarkName): Promise<void> {
  const scenario = await Scenario.open(shared.sim, lost === undefined ? {} : { wrapStore: losingMarks(lost) })
  try {
    await play(scenario, life)
  } finally {
    await scenario.close()
  }
}

describe('the oracle', () => {
  test(`in ${sequences} random lives of an estate, the plan of what changed is the plan of everything`, {
    timeout: 0,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(lives, (life) => playAlone(life)),
      { numRuns: sequences, seed, interruptAfterTimeLimit: 3_600_000 },
    )
  })

  test.each(['written', 'unsettled', 'outputs', 'provider'] as const)(
    'sees when marks are lost: %s',
    { timeout: 120_000 },
    async (lost) => {
      const found = await fc.check(
        fc.asyncProperty(lives, (life) => playAlone(life, lost)),
        { numRuns: 200, seed, endOnFailure: true },
      )
      expect(found.failed).toBe(true)
    },
  )

  // The simulated cloud's responses don't depend on its configuration, so only an invalid configuration is visible in a plan.
  test.each([
    ['keeps', undefined],
    ['sees when marks are lost:', 'configuration'],
  ] as const)('%s configuration', async (_, lost) => {
    const s = await Scenario.open(shared.sim, lost === undefined ? {} : { wrapStore: losingMarks(lost) })
    try {
      await s.configure({}, 'west')
      await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16', provider: 'west' })
      expect(await (await s.apply()).phase()).toBe('Applied')
      await s.configure({ seed: '${secret["nowhere"].key}' }, 'west')
      const changed = await (await s.plan()).lines()
      expect(await (await s.plan({ scope: 'All' })).lines()).toEqual(['blocked sim_network.main'])
      expect(changed).toEqual(lost === undefined ? ['blocked sim_network.main'] : [])
    } finally {
      await s.close()
    }
  })
})
