import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DependencyGraph } from './dependency-graph.ts'
import { findCycle } from './find-cycle.ts'
import { creationOrder, deletionOrder, nodesOnCircles } from './walk-order.ts'

function graphOf(size: number, edges: readonly (readonly [number, number])[]): DependencyGraph {
  return new DependencyGraph(size, {
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
  })
}

const anyGraph = fc.integer({ min: 1, max: 30 }).chain((size) => {
  const node = fc.nat({ max: size - 1 })
  return fc.tuple(fc.constant(size), fc.array(fc.tuple(node, node), { maxLength: 60 }))
})

describe('an order', () => {
  const network = 0
  const subnet = 1
  const instance = 2
  const chain = graphOf(3, [
    [subnet, network],
    [instance, subnet],
  ])

  test('creates what others depend on first, and deletes it last', () => {
    expect([...creationOrder(chain)!]).toEqual([network, subnet, instance])
    expect([...deletionOrder(chain)!]).toEqual([instance, subnet, network])
  })

  test('is the same every time, lower numbers first among those that could go at once', () => {
    const star = graphOf(4, [
      [1, 0],
      [2, 0],
      [3, 0],
    ])
    expect([...creationOrder(star)!]).toEqual([0, 1, 2, 3])
    expect([...deletionOrder(star)!]).toEqual([1, 2, 3, 0])
  })

  test('there is none in a circle', () => {
    const circle = graphOf(2, [
      [0, 1],
      [1, 0],
    ])
    expect(creationOrder(circle)).toBeUndefined()
    expect(deletionOrder(circle)).toBeUndefined()
  })
})

test('nodes on circles are told from those that only lead there or wait for them', () => {
  const graph = graphOf(5, [
    [0, 1],
    [1, 2],
    [2, 1],
    [2, 3],
  ])
  expect([...nodesOnCircles(graph)!]).toEqual([0, 1, 1, 0, 0])
  expect(nodesOnCircles(graphOf(2, [[0, 1]]))).toBeUndefined()
})

test('any graph has either an order that keeps to every edge, or a circle that is one', () => {
  fc.assert(
    fc.property(anyGraph, ([size, edges]) => {
      const graph = graphOf(size, edges)
      const creation = creationOrder(graph)
      const cycle = findCycle(graph)
      expect(creation === undefined).toBe(cycle !== undefined)
      if (cycle !== undefined) {
        for (const [at, node] of cycle.entries())
          expect([...graph.dependenciesOf(node)]).toContain(cycle[(at + 1) % cycle.length])
        return
      }
      const place = new Map([...creation!].map((node, at) => [node, at]))
      const last = new Map([...deletionOrder(graph)!].map((node, at) => [node, at]))
      expect(place.size).toBe(size)
      for (const [from, to] of edges) {
        expect(place.get(to)!).toBeLessThan(place.get(from)!)
        expect(last.get(from)!).toBeLessThan(last.get(to)!)
      }
    }),
  )
})

test('a chain of a million nodes is ordered and searched without a million calls on the stack', () => {
  const size = 1_000_000
  const from = Uint32Array.from({ length: size - 1 }, (_, at) => at + 1)
  const to = Uint32Array.from({ length: size - 1 }, (_, at) => at)
  const graph = new DependencyGraph(size, { from, to })
  expect(creationOrder(graph)![size - 1]).toBe(size - 1)
  expect(findCycle(graph)).toBeUndefined()
})

test('an edge of a node that is not there is refused', () => {
  expect(() => graphOf(1, [[1, 0]])).toThrow('an edge begins at node 1, and there are 1')
})
