import fc from 'fast-check'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Scenario, SharedSim } from '../scenario.ts'
import { type GraphLife, graphLives } from './graph.ts'
import { MemoryCloud } from './memory-cloud.ts'
import { playGraph } from './play-graph.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const sequences = Number(process.env.HYKUBE_GRAPH_SEQUENCES ?? 2000)
const seed = Number(process.env.HYKUBE_ORACLE_SEED ?? 20261116)
const atOnce = 2
// A server that holds the objects of many sequences is slower than a new one.
const mostOnStage = 100

/** A server for many sequences, which play one after the other, each in a namespace of its own. */
class Stage {
  readonly #s: Scenario
  readonly #cloud: MemoryCloud
  #played = 0

  private constructor(s: Scenario, cloud: MemoryCloud) {
    this.#s = s
    this.#cloud = cloud
  }

  static async open(): Promise<Stage> {
    const [s, cloud] = [await Scenario.open(shared.sim), await MemoryCloud.start()]
    s.engine.providers.intercept = cloud.intercept
    return new Stage(s, cloud)
  }

  async play(life: GraphLife): Promise<void> {
    this.#cloud.clear()
    this.#cloud.fault = undefined
    await playGraph(await this.#s.within(`sequence-${++this.#played}`), this.#cloud, life)
  }

  close(): Promise<void> {
    return this.#s.close()
  }
}

/** Returns the number of a sequence that fails; undefined when none does. */
async function failingSequence(): Promise<number | undefined> {
  const lives = fc.sample(graphLives, { numRuns: sequences, seed }).entries()
  let failed: number | undefined
  const playSome = async () => {
    const stage = await Stage.open()
    try {
      for (let played = 0; played < mostOnStage && failed === undefined; played++) {
        const next = lives.next()
        if (next.done === true) return false
        const [index, life] = next.value
        await stage.play(life).catch(() => {
          failed = index
        })
      }
      return failed === undefined
    } finally {
      await stage.close()
    }
  }
  const worker = async () => {
    while (await playSome());
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return failed
}

describe('the graph', () => {
  test(`in ${sequences} random sequences no instance that remains refers to a destroyed one`, {
    timeout: 0,
  }, async () => {
    const failed = await failingSequence()
    if (failed === undefined) return
    // Played again alone, it shrinks to the steps that matter.
    const stage = await Stage.open()
    const again = fc.asyncProperty(graphLives, (life) => stage.play(life))
    await fc.assert(again, { seed, path: String(failed), numRuns: 1 }).finally(() => stage.close())
    throw new Error(`sequence ${failed} of seed ${seed} failed once, and not again`)
  })
})
