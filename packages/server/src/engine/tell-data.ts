import type { NodePlace } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { type ConditionFacts, withStatus } from './object-status.ts'

/** Shows what a data source said in its status. Reading changes nothing outside, so that this needs no approval. */
export async function tellData(
  { objects, clock }: EngineParts,
  node: NodePlace,
  uid: string,
  attributes: object,
): Promise<void> {
  await objects.update(node, node, (object) => {
    if (object.metadata?.uid !== uid) return undefined
    const set = { attributes: attributes as Readonly<Record<string, unknown>>, conditions: read }
    return withStatus(object, { ...set, observedGeneration: object.metadata?.generation }, clock.now())
  })
}

const read: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'True', reason: 'Read', message: 'it was read by the last plan' },
  { type: 'Applied', status: 'True', reason: 'Read', message: '' },
  { type: 'Drifted', status: 'False', reason: 'Read', message: '' },
]
