import type { NodePlace } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { type ConditionFacts, type ResourceStatus, withStatus } from './object-status.ts'

/** Sets conditions of the object that is at a place, if it is still the one meant; writes nothing when nothing is new. */
export async function tellConditions(
  { objects, clock }: Pick<EngineParts, 'objects' | 'clock'>,
  place: NodePlace,
  uid: string,
  conditions: readonly ConditionFacts[],
): Promise<void> {
  await objects.update(place, place, (object) => {
    if (object.metadata?.uid !== uid) return undefined
    const after = withStatus(object, { conditions }, clock.now())
    const isSame =
      (after.status as ResourceStatus).conditions === (object.status as ResourceStatus | undefined)?.conditions
    return isSame ? object : after
  })
}
