import { type ConditionFacts, withStatus } from '../../estate/index.ts'
import type { ResourceRef } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'

/** Writes the attributes of a data source to its status. Reading changes no resource, so it needs no approval. */
export async function writeDataStatus(
  { objects, clock }: EngineParts,
  ref: ResourceRef,
  uid: string,
  attributes: object,
): Promise<void> {
  await objects.update(ref, ref, (object) => {
    if (object.metadata?.uid !== uid) return undefined
    const set = { attributes: attributes as Readonly<Record<string, unknown>>, conditions: read }
    return withStatus(object, { ...set, observedGeneration: object.metadata?.generation }, clock.now())
  })
}

const read: readonly ConditionFacts[] = [
  { type: 'Ready', status: 'True', reason: 'Read', message: 'the last plan read it' },
  { type: 'Applied', status: 'True', reason: 'Read', message: '' },
  { type: 'Drifted', status: 'False', reason: 'Read', message: '' },
]
