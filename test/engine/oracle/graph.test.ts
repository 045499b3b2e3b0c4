import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Scenario, SharedSim } from '../scenario.ts'
import { type GraphLife, graphLives } from './graph.ts'
import { playGraph } from './play-graph.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const sequences = Number(process.env.HYKUBE_GRAPH_SEQUENCES ?? 300)
const seed = Number(process.env.HYKUBE_ORACLE_SEED ?? 20261116)
// Each waits for the provider most of the time.
const atOnce = 8

async function playAlone(life: GraphLife): Promise<void> {
  const s = await Scenario.open(shared.sim)
  try {
    await playGraph(s, life)
  } finally {
    await s.close()
  }
}

/** The number of the first sequence that fails; undefined when none does. */
async function firstFailure(): Promise<number | undefined> {
  const lives = fc.sample(graphLives, { numRuns: sequences, seed }).entries()
  let failed: number | undefined
  const worker = async () => {
    for (const [index, life] of lives) {
      if (failed !== undefined) return
      await playAlone(life).catch(() => {
        failed = index
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return failed
}

describe('the graph', () => {
  test(`in ${sequences} random sequences no instance that remains refers to a destroyed one`, {
    timeout: 0,
  }, async () => {
    const failed = await firstFailure()
    // Played again alone, it shrinks to what matters.
    if (failed !== undefined)
      await fc.assert(fc.asyncProperty(graphLives, playAlone), { seed, path: String(failed), numRuns: 1 })
    if (failed !== undefined) throw new Error(`sequence ${failed} of seed ${seed} failed once, and not again`)
  })
})
