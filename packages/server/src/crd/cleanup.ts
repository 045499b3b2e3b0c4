import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import {
  decodeObject,
  type ObjectLocation,
  type ObjectStore,
  objectFromKey,
  objectRange,
  type ResourceLocation,
  type StoredObject,
} from '../resource/index.ts'

/**
 * Deletes all objects of a resource in a cluster. Objects with finalizers are only marked for deletion. Returns the
 * number of objects that remain. Objects for which `keeps` returns true are not touched.
 */
export async function deleteObjects(
  objects: ObjectStore,
  resource: ResourceLocation,
  cluster: string,
  now: number,
  keeps: (place: ObjectLocation, object: KubernetesObject) => Promise<boolean> = async () => false,
): Promise<number> {
  const range = objectRange(resource, cluster)
  let left = 0
  for await (const entries of objects.pages(range)) {
    // Concurrently, so that the store groups the commits.
    const gone = await Promise.all(
      entries.map(({ key, value, tag, revision }) =>
        deleteObject(objects, resource, { key, bytes: value, tag, revision }, now, keeps),
      ),
    )
    left += gone.filter((isGone) => !isGone).length
  }
  return left
}

// Returns true when the object is gone. After a conflict the object is left: the conflicting change triggers the next
// round.
async function deleteObject(
  objects: ObjectStore,
  resource: ResourceLocation,
  before: StoredObject,
  now: number,
  keeps: (place: ObjectLocation, object: KubernetesObject) => Promise<boolean>,
): Promise<boolean> {
  const object = decodeObject(before.bytes)
  const { metadata = {} } = object
  const { cluster, namespace, name } = objectFromKey(before.key)
  const place = { cluster, namespace, name }
  const change = { resource, place, before, beforeObject: object, tag: before.tag }
  if ((metadata.finalizers?.length ?? 0) === 0) {
    const outcome = await objects.change([{ ...change, after: undefined, final: object }])
    return outcome.kind === 'committed'
  }
  if (metadata.deletionTimestamp !== undefined || (await keeps(place, object))) return false
  const marked = {
    ...metadata,
    deletionTimestamp: timeToText(now),
    deletionGracePeriodSeconds: 0,
    generation: (metadata.generation ?? 0) + 1,
  }
  await objects.change([{ ...change, after: { ...object, metadata: marked } }])
  return false
}
