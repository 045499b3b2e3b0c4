import { describe, expect, it } from 'vitest'
import { execute } from './executor.ts'
import { OperationGraph, type OrderedChange } from './operation-graph.ts'

type Given = Partial<OrderedChange> & { readonly node: string }

function change(given: Given): OrderedChange {
  return { makes: false, destroys: false, createFirst: false, refersTo: [], madeFrom: [], ...given }
}

const created = { makes: true }
const deleted = { destroys: true }
const replaced = { makes: true, destroys: true }
const replacedCreateFirst = { makes: true, destroys: true, createFirst: true }

async function orderOf(changes: readonly Given[]): Promise<string[]> {
  const ordered = changes.map(change)
  const operations = new OperationGraph(ordered)
  const order: string[] = []
  const step = (node: number) => {
    const at = operations.stepAt(node)
    const what = at === undefined ? undefined : ordered[at.change]!
    if (at !== undefined && what !== undefined && (at.step === 'make' ? what.makes : what.destroys))
      order.push(`${at.step === 'make' ? '+' : '-'}${what.node}`)
    return 'done' as const
  }
  await execute(operations.graph, step, () => {}, { parallelism: 1, signal: new AbortController().signal })
  return order
}

describe('OperationGraph', () => {
  const b = { node: 'b', refersTo: ['a'], madeFrom: ['a'] }
  it.each<[string, readonly Given[], string[]]>([
    [
      'what lets go by an update that waits for the update of what the other was made from: nothing waits for itself',
      [
        { node: 'network', makes: true },
        { node: 'null', makes: true, refersTo: ['network'], madeFrom: ['instance'] },
        { node: 'instance', ...deleted, madeFrom: ['network'] },
      ],
      ['+network', '+null', '-instance'],
    ],
    [
      'the same where what the other was made from is replaced: it goes before what still holds it lets go',
      [
        { node: 'network', ...replaced },
        { node: 'null', makes: true, refersTo: ['network'], madeFrom: ['instance'] },
        { node: 'instance', ...deleted, madeFrom: ['network'] },
      ],
      ['-instance', '-network', '+network', '+null'],
    ],
    [
      'makes what is referred to first',
      [
        { ...b, ...created, madeFrom: [] },
        { node: 'a', ...created },
      ],
      ['+a', '+b'],
    ],
    [
      'destroys dependents first',
      [
        { node: 'a', ...deleted },
        { ...b, refersTo: [], ...deleted },
      ],
      ['-b', '-a'],
    ],
    [
      'replaces both: dependents go first and come last',
      [
        { node: 'a', ...replaced },
        { ...b, ...replaced },
      ],
      ['-b', '-a', '+a', '+b'],
    ],
    [
      'with create first: the new one, then dependents, then the old one goes',
      [
        { node: 'a', ...replacedCreateFirst },
        { ...b, ...created },
      ],
      ['+a', '+b', '-a'],
    ],
    [
      'what loses its reference by a replacement is waited for until it is gone, and no longer',
      [
        { node: 'n', ...created },
        { node: 'i', ...replaced, refersTo: ['n'], madeFrom: ['n'] },
        { node: 't', ...replaced, refersTo: ['n'], madeFrom: ['i'] },
      ],
      ['-t', '-i', '+n', '+t', '+i'],
    ],
    [
      'with create first on both',
      [
        { node: 'a', ...replacedCreateFirst },
        { ...b, ...replacedCreateFirst },
      ],
      ['+a', '+b', '-b', '-a'],
    ],
    [
      'a dependent that is replaced the usual way goes and comes while both of the other are there',
      [
        { node: 'a', ...replacedCreateFirst },
        { ...b, ...replaced },
      ],
      ['+a', '-b', '+b', '-a'],
    ],
    [
      'destroys after an update that gives up the reference',
      [
        { node: 'a', ...deleted },
        { ...b, refersTo: [], ...created },
      ],
      ['+b', '-a'],
    ],
    [
      'updates after what was made from it is destroyed',
      [
        { node: 'a', ...created },
        { ...b, refersTo: [], ...deleted },
      ],
      ['-b', '+a'],
    ],
    [
      'updates in place after the replacement',
      [
        { ...b, ...created },
        { node: 'a', ...replaced },
      ],
      ['-a', '+a', '+b'],
    ],
  ])('%s', async (_, changes, order) => {
    expect(await orderOf(changes)).toEqual(order)
  })

  it('has edges in the number of instances, not of pairs of them', () => {
    const instances = (node: string, refersTo: string[]) =>
      Array.from({ length: 1000 }, () => change({ node, refersTo, ...created }))
    const { graph } = new OperationGraph([...instances('a', []), ...instances('b', ['a'])])
    let edges = 0
    for (let node = 0; node < graph.size; node++) edges += graph.dependenciesOf(node).length
    expect(edges).toBe(5000)
  })
})
