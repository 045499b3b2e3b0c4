import type { Stored } from '@hykube/runtime/client'
import { expect, test } from 'vitest'
import { type ControllerRevision, planRevisions } from './revisions.ts'
import type { Workload } from './workload.ts'

function workload(image: string, revisionHistoryLimit = 10): Stored<Workload> {
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image }] } }
  return {
    metadata: { name: 'a', namespace: 'n', uid: 'u', annotations: { 'kubernetes.io/change-cause': image } },
    spec: { template, revisionHistoryLimit },
  } as unknown as Stored<Workload>
}

function history(...images: readonly string[]): Stored<ControllerRevision>[] {
  return images.map((image, at) => {
    const { create } = planRevisions('DaemonSet', workload(image), [])
    return { ...create, revision: at + 1 } as Stored<ControllerRevision>
  })
}

test('the first template is revision 1 with a patch that restores it', () => {
  const { create, renumber, remove } = planRevisions('DaemonSet', workload('one'), [])
  expect(create).toMatchObject({
    revision: 1,
    metadata: {
      annotations: { 'kubernetes.io/change-cause': 'one' },
      labels: { app: 'a' },
      ownerReferences: [{ kind: 'DaemonSet', uid: 'u', controller: true }],
    },
    data: { spec: { template: { $patch: 'replace', spec: { containers: [{ image: 'one' }] } } } },
  })
  expect({ renumber, remove }).toEqual({ renumber: undefined, remove: [] })
})

test('the template of the newest revision changes nothing', () => {
  const plan = planRevisions('DaemonSet', workload('two'), history('one', 'two'))
  expect(plan).toEqual({ create: undefined, renumber: undefined, remove: [] })
})

test('an earlier template becomes the newest revision again', () => {
  const found = history('one', 'two')
  const plan = planRevisions('DaemonSet', workload('one'), found)
  expect(plan).toEqual({ create: undefined, renumber: { name: found[0]!.metadata.name, revision: 3 }, remove: [] })
})

test('deletes its oldest revisions beyond the limit and keeps those of others', () => {
  const found = history('one', 'two', 'three')
  const foreign = { ...found[0]!, metadata: { ...found[0]!.metadata, name: 'foreign', ownerReferences: [] } }
  const plan = planRevisions('DaemonSet', workload('three', 1), [...found, foreign])
  expect(plan.remove).toEqual([found[0]!.metadata.name])
})
