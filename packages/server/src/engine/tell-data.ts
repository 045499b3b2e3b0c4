import type { NodePlace } from '../plan/index.ts'
import { decodeObject } from '../resource/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { type ConditionFacts, withStatus } from './object-status.ts'

/** Shows what a data source said in its status. Reading changes nothing outside, so that this needs no approval. */
export async function tellData(
  { objects, clock }: EngineParts,
  node: NodePlace,
  uid: string,
  attributes: object,
): Promise<void> {
  for (;;) {
    const before = await objects.get(node, node)
    if (before === undefined) return
    const object = decodeObject(before.bytes)
    if (object.metadata?.uid !== uid) return
    const set = { attributes: attributes as Readonly<Record<string, unknown>>, conditions: read }
    const after = withStatus(object, { ...set, observedGeneration: object.metadata?.generation }, clock.now())
    const change = { resource: node, place: node, before, beforeObject: object, after, tag: before.tag }
    if ((await objects.change([change])).kind === 'committed') return
  }
}

const read: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'True', reason: 'Read', message: 'it was read by the last plan' },
  { type: 'Applied', status: 'True', reason: 'Read', message: '' },
  { type: 'Drifted', status: 'False', reason: 'Read', message: '' },
]
