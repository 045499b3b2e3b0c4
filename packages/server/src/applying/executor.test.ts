import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DependencyGraph } from '../model/index.ts'
import { execute, type StepResult } from './executor.ts'

const never = new AbortController().signal

function graphOf(size: number, pairs: readonly (readonly [number, number])[]): DependencyGraph {
  return new DependencyGraph(size, {
    from: Uint32Array.from(pairs.map(([from]) => from)),
    to: Uint32Array.from(pairs.map(([, to]) => to)),
  })
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

const acyclic = fc.integer({ min: 2, max: 30 }).chain((size) =>
  fc.tuple(
    fc.constant(size),
    fc.array(
      fc
        .tuple(fc.nat(size - 1), fc.nat(size - 1))
        .map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const)
        .filter(([a, b]) => a !== b),
      { maxLength: 80 },
    ),
    fc.uniqueArray(fc.nat(size - 1)),
  ),
)

describe('execute', () => {
  it('begins a step when all it waits for is done, and skips exactly what waits for a failure', async () => {
    await fc.assert(
      fc.asyncProperty(acyclic, fc.integer({ min: 1, max: 8 }), async ([size, pairs, failing], parallelism) => {
        const done = new Set<number>()
        const skipped = new Set<number>()
        let running = 0
        const step = async (graphIndex: number): Promise<StepResult> => {
          expect(pairs.filter(([from]) => from === graphIndex).every(([, to]) => done.has(to))).toBe(true)
          expect(++running).toBeLessThanOrEqual(parallelism)
          if (graphIndex % 3 === 0) await turn()
          running--
          if (failing.includes(graphIndex)) return 'not-done'
          done.add(graphIndex)
          return 'done'
        }
        await execute(graphOf(size, pairs), step, (graphIndex) => void skipped.add(graphIndex), {
          parallelism,
          signal: never,
        })
        const reachesFailure: boolean[] = []
        for (let graphIndex = 0; graphIndex < size; graphIndex++) {
          reachesFailure.push(
            pairs.some(([from, to]) => from === graphIndex && (failing.includes(to) || reachesFailure[to] === true)),
          )
          expect(skipped.has(graphIndex)).toBe(reachesFailure[graphIndex])
          expect(done.has(graphIndex)).toBe(!skipped.has(graphIndex) && !failing.includes(graphIndex))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('keeps within the limit of each pool, and still does everything', async () => {
    const inside = [0, 0]
    let most = 0
    let done = 0
    const step = async (graphIndex: number): Promise<StepResult> => {
      most = Math.max(most, ++inside[graphIndex % 2]!)
      await turn()
      inside[graphIndex % 2]!--
      done++
      return 'done'
    }
    const options = {
      parallelism: 20,
      perPool: 3,
      poolOf: (graphIndex: number) => String(graphIndex % 2),
      signal: never,
    }
    await execute(graphOf(100, []), step, () => {}, options)
    expect([most, done]).toEqual([3, 100])
  })

  it('begins nothing after it was told to stop, and ends when what runs has ended', async () => {
    const stop = new AbortController()
    let begun = 0
    const step = async (): Promise<StepResult> => {
      if (++begun === 5) stop.abort()
      await turn()
      return 'done'
    }
    await execute(graphOf(100, []), step, () => {}, { parallelism: 2, signal: stop.signal })
    expect(begun).toBeLessThanOrEqual(6)
  })

  it('ends with the failure of a step that throws', async () => {
    const step = async () => {
      throw new Error('broken')
    }
    await expect(execute(graphOf(3, []), step, () => {}, { parallelism: 2, signal: never })).rejects.toThrow('broken')
  })

  it('ends at once when there is nothing to do', async () => {
    await execute(
      graphOf(0, []),
      () => 'done',
      () => {},
      { parallelism: 2, signal: never },
    )
  })

  it('takes more at a time of those that count for less', async () => {
    let running = 0
    let most = 0
    const step = async (): Promise<StepResult> => {
      most = Math.max(most, ++running)
      await turn()
      running--
      return 'done'
    }
    const weightOf = (graphIndex: number) => (graphIndex < 20 ? 0.25 : 1)
    const run = (size: number) =>
      execute(graphOf(size, []), step, () => {}, {
        parallelism: 2,
        signal: never,
        poolOf: () => 'one',
        perPool: 2,
        weightOf,
      })
    await run(20)
    expect(most).toBe(8)
    await run(40)
    expect(running).toBe(0)
  })
})
