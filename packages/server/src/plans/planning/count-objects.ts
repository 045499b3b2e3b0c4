import { kindsInUse } from '../../estate/index.ts'
import type { ServedKinds } from '../../provider-kinds/index.ts'
import { type ObjectStore, objectRange } from '../../resource/index.ts'
import type { PlanArea } from './seeds.ts'

/** Counts the managed objects in a cluster or namespace. The cost follows the number of kinds in use, not the number of objects. */
export async function countObjects(objects: ObjectStore, kinds: ServedKinds, area: PlanArea): Promise<number> {
  const { cluster, namespace } = area
  let count = 0
  for await (const resource of kindsInUse(objects, area))
    if (kinds.at(cluster, resource.group, resource.resource)?.data === false)
      count += await objects.count(objectRange(resource, cluster, namespace))
  return count
}
