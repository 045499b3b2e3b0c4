import { type ObjectStore, objectFromKey, objectKey, objectRange } from '../resource/index.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import type { PlanArea } from './seeds.ts'

/** How many objects of providers' resources an area has. It costs a look at each kind that is in use, whatever their number. */
export async function countObjects(objects: ObjectStore, kinds: ServedKinds, area: PlanArea): Promise<number> {
  const { cluster, namespace } = area
  let count = 0
  for await (const place of kindsInUse(objects, area))
    if (kinds.at(cluster, place.group, place.resource)?.data === false)
      count += await objects.count(objectRange(place, cluster, namespace))
  return count
}

/** The kinds of which an area has objects. */
export async function* kindsInUse(objects: ObjectStore, { cluster, namespace }: PlanArea) {
  const { space } = objectRange({ group: '', resource: '' })
  const place = namespace === undefined ? [cluster] : [cluster, namespace]
  const range = { space, prefix: [undefined, undefined, undefined, ...place] }
  // From the first object of a kind on to the first one of the next.
  let page = await objects.scan(range, { limit: 1 })
  for (let [entry] = page.entries; entry !== undefined; [entry] = page.entries) {
    const { group, resource, identity = '' } = objectFromKey(entry.key)
    yield { group, resource, identity }
    const after = objectKey({ group, resource, identity }, { cluster, namespace: last, name: last })
    page = await objects.scan(range, { limit: 1, after })
  }
}

// Behind every name.
const last = '\u{10ffff}'
