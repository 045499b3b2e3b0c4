import { timeToText } from '@hykube/machinery/object'
import type { StoragePlace } from '@hykube/machinery/resource-type'
import { decodeObject, type ObjectStore, objectFromKey, objectRange } from '../resource/index.ts'

/**
 * Asks every object of a resource in a cluster to go: those that nothing holds go at once, the others are marked. Gives how
 * many are left.
 */
export async function deleteObjects(
  objects: ObjectStore,
  resource: StoragePlace,
  cluster: string,
  now: number,
): Promise<number> {
  const range = objectRange(resource, cluster)
  let left = 0
  let page = await objects.scan(range)
  for (;;) {
    for (const { key, value, tag, revision } of page.entries) {
      const before = { key, bytes: value, tag, revision }
      if (!(await deleteObject(objects, resource, before, now))) left++
    }
    if (page.last === undefined) return left
    page = await objects.scan(range, { revision: page.revision, after: page.last })
  }
}

// True when it is gone. Whoever was faster is met again: its change wakes the next round.
async function deleteObject(
  objects: ObjectStore,
  resource: StoragePlace,
  before: { key: Uint8Array; bytes: Uint8Array; tag: number; revision: number },
  now: number,
): Promise<boolean> {
  const object = decodeObject(before.bytes)
  const { metadata = {} } = object
  const change = {
    resource,
    place: objectFromKey(before.key as never),
    before: before as never,
    beforeObject: object,
    tag: before.tag,
  }
  if ((metadata.finalizers?.length ?? 0) === 0) {
    const outcome = await objects.change([{ ...change, after: undefined, final: object }])
    return outcome.kind === 'committed'
  }
  if (metadata.deletionTimestamp !== undefined) return false
  const marked = {
    ...metadata,
    deletionTimestamp: timeToText(now),
    deletionGracePeriodSeconds: 0,
    generation: (metadata.generation ?? 0) + 1,
  }
  await objects.change([{ ...change, after: { ...object, metadata: marked } }])
  return false
}
