import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexesOnCycles } from './cycles.ts'
import { DependencyGraph } from './dependency-graph.ts'

type Edge = readonly [from: number, to: number]

function graphOf(size: number, edges: readonly Edge[]): DependencyGraph {
  return new DependencyGraph(size, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
  })
}

const anyGraph = fc.integer({ min: 1, max: 12 }).chain((size) => {
  const index = fc.nat({ max: size - 1 })
  return fc.tuple(fc.constant(size), fc.array(fc.tuple(index, index), { maxLength: 20 }))
})

test('marks indexes on a cycle, not those that lead to it or wait for it', () => {
  const graph = graphOf(5, [
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 3],
  ])
  expect([...indexesOnCycles(graph)!]).toEqual([0, 1, 1, 0, 0])
})

test('marks exactly the indexes that reach a cycle and are reached from one', () => {
  fc.assert(
    fc.property(anyGraph, ([size, edges]) => {
      const reaches = reachability(size, edges)
      const onCycle = Array.from({ length: size }, (_, index) => index).filter((index) => reaches(index, index))
      const expected = Array.from({ length: size }, (_, index) =>
        onCycle.some((cycle) => cycle === index || reaches(index, cycle)) &&
        onCycle.some((cycle) => cycle === index || reaches(cycle, index))
          ? 1
          : 0,
      )
      const marked = indexesOnCycles(graphOf(size, edges))
      expect(marked === undefined).toBe(onCycle.length === 0)
      if (marked !== undefined) expect([...marked]).toEqual(expected)
    }),
  )
})

test('walks a chain of a million indexes without recursion', () => {
  const size = 1_000_000
  const from = Uint32Array.from({ length: size - 1 }, (_, at) => at + 1)
  const to = Uint32Array.from({ length: size - 1 }, (_, at) => at)
  expect(indexesOnCycles(new DependencyGraph(size, { from, to }))).toBeUndefined()
})

test('rejects an edge whose source is not in the graph', () => {
  expect(() => graphOf(1, [[1, 0]])).toThrow('an edge starts at index 1 of 1')
})

function reachability(size: number, edges: readonly Edge[]): (from: number, to: number) => boolean {
  const reached = Array.from({ length: size }, () => new Set<number>())
  for (let changed = true; changed; ) {
    changed = false
    for (const [from, to] of edges)
      for (const target of [to, ...reached[to]!])
        if (!reached[from]!.has(target)) {
          reached[from]!.add(target)
          changed = true
        }
  }
  return (from, to) => reached[from]!.has(to)
}
