import { type ConditionFacts, type ResourceStatus, withStatus } from '../../estate/index.ts'
import type { ResourceRef } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'

/** Sets conditions of an object with this uid. Writes nothing when they are unchanged. */
export async function writeConditions(
  { objects, clock }: Pick<EngineParts, 'objects' | 'clock'>,
  ref: ResourceRef,
  uid: string,
  conditions: readonly ConditionFacts[],
): Promise<void> {
  await objects.update(ref, ref, (object) => {
    if (object.metadata?.uid !== uid) return undefined
    const after = withStatus(object, { conditions }, clock.now())
    const isSame =
      (after.status as ResourceStatus).conditions === (object.status as ResourceStatus | undefined)?.conditions
    return isSame ? object : after
  })
}
