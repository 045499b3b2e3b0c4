import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Scenario, SharedSim } from '../scenario.ts'
import { type GraphLife, graphLives } from './graph.ts'
import { playGraph } from './play-graph.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const sequences = Number(process.env.HYKUBE_GRAPH_SEQUENCES ?? 2000)
const seed = Number(process.env.HYKUBE_ORACLE_SEED ?? 20261116)

async function playAlone(life: GraphLife): Promise<void> {
  const s = await Scenario.open(shared.sim)
  try {
    await playGraph(s, life)
  } finally {
    for (const { type, id } of s.world.all()) s.world.remove(type, id)
    await s.close()
  }
}

describe('the graph', () => {
  test(`in ${sequences} random sequences no instance that remains refers to a destroyed one`, {
    timeout: 0,
  }, async () => {
    await fc.assert(fc.asyncProperty(graphLives, playAlone), { numRuns: sequences, seed })
  })
})
