import { describe, expect, it } from 'vitest'
import { execute } from './executor.ts'
import { OperationGraph, type OrderedChange } from './operation-graph.ts'

type Given = Partial<OrderedChange> & { readonly refText: string }

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
  const step = (graphIndex: number) => {
    const at = operations.stepAt(graphIndex)
    const what = at === undefined ? undefined : ordered[at.change]!
    if (at !== undefined && what !== undefined && (at.step === 'make' ? what.makes : what.destroys))
      order.push(`${at.step === 'make' ? '+' : '-'}${what.refText}`)
    return 'done' as const
  }
  await execute(operations.graph, step, () => {}, { parallelism: 1, signal: new AbortController().signal })
  return order
}

describe('OperationGraph', () => {
  const b = { refText: 'b', refersTo: ['a'], madeFrom: ['a'] }
  it.each<[string, readonly Given[], string[]]>([
    [
      'what lets go by an update that waits for the update of what the other was made from: nothing waits for itself',
      [
        { refText: 'network', makes: true },
        { refText: 'null', makes: true, refersTo: ['network'], madeFrom: ['instance'] },
        { refText: 'instance', ...deleted, madeFrom: ['network'] },
      ],
      ['+network', '+null', '-instance'],
    ],
    [
      'the same where what the other was made from is replaced: it goes before what still holds it lets go',
      [
        { refText: 'network', ...replaced },
        { refText: 'null', makes: true, refersTo: ['network'], madeFrom: ['instance'] },
        { refText: 'instance', ...deleted, madeFrom: ['network'] },
      ],
      ['-instance', '-network', '+network', '+null'],
    ],
    [
      'makes what is referred to first',
      [
        { ...b, ...created, madeFrom: [] },
        { refText: 'a', ...created },
      ],
      ['+a', '+b'],
    ],
    [
      'destroys dependents first',
      [
        { refText: 'a', ...deleted },
        { ...b, refersTo: [], ...deleted },
      ],
      ['-b', '-a'],
    ],
    [
      'replaces both: dependents go first and come last',
      [
        { refText: 'a', ...replaced },
        { ...b, ...replaced },
      ],
      ['-b', '-a', '+a', '+b'],
    ],
    [
      'with create first: the new one, then dependents, then the old one goes',
      [
        { refText: 'a', ...replacedCreateFirst },
        { ...b, ...created },
      ],
      ['+a', '+b', '-a'],
    ],
    [
      'what loses its reference by a replacement is waited for until it is gone, and no longer',
      [
        { refText: 'n', ...created },
        { refText: 'i', ...replaced, refersTo: ['n'], madeFrom: ['n'] },
        { refText: 't', ...replaced, refersTo: ['n'], madeFrom: ['i'] },
      ],
      ['-t', '-i', '+n', '+t', '+i'],
    ],
    [
      'with create first on both',
      [
        { refText: 'a', ...replacedCreateFirst },
        { ...b, ...replacedCreateFirst },
      ],
      ['+a', '+b', '-b', '-a'],
    ],
    [
      'a dependent that is replaced the usual way goes and comes while both of the other are there',
      [
        { refText: 'a', ...replacedCreateFirst },
        { ...b, ...replaced },
      ],
      ['+a', '-b', '+b', '-a'],
    ],
    [
      'destroys after an update that gives up the reference',
      [
        { refText: 'a', ...deleted },
        { ...b, refersTo: [], ...created },
      ],
      ['+b', '-a'],
    ],
    [
      'updates after what was made from it is destroyed',
      [
        { refText: 'a', ...created },
        { ...b, refersTo: [], ...deleted },
      ],
      ['-b', '+a'],
    ],
    [
      'updates in place after the replacement',
      [
        { ...b, ...created },
        { refText: 'a', ...replaced },
      ],
      ['-a', '+a', '+b'],
    ],
  ])('%s', async (_, changes, order) => {
    expect(await orderOf(changes)).toEqual(order)
  })

  it('has edges in the number of instances, not of pairs of them', () => {
    const instances = (refText: string, refersTo: string[]) =>
      Array.from({ length: 1000 }, () => change({ refText, refersTo, ...created }))
    const { graph } = new OperationGraph([...instances('a', []), ...instances('b', ['a'])])
    let edges = 0
    for (let graphIndex = 0; graphIndex < graph.size; graphIndex++) edges += graph.dependenciesOf(graphIndex).length
    expect(edges).toBe(5000)
  })
})
