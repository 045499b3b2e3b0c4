import { type ContentIndex, type OwnerIndex, type OwnershipFeed, ownershipChangeFrom } from '../controllers/index.ts'
import {
  changeFeed,
  dependentFromKey,
  dependentsRange,
  type ObjectStore,
  type ObservedChange,
  objectRange,
  ownerFromKey,
  ownersRange,
  type TypeRegistry,
  type WatchHub,
} from '../resource/index.ts'

/** The owner index for garbage collection. */
export function ownerIndex(objects: ObjectStore): OwnerIndex {
  return {
    dependentsOf: (cluster, uid) => Array.fromAsync(keysOf(objects, dependentsRange(cluster, uid)), dependentFromKey),
    async *owners() {
      let last = ''
      for await (const key of keysOf(objects, ownersRange)) {
        const owner = ownerFromKey(key)
        const name = `${owner.cluster}/${owner.uid}`
        if (name !== last) yield owner
        last = name
      }
    },
  }
}

/** Streams the changes of the store that affect owners and dependents. */
export function ownershipFeed(hub: WatchHub): OwnershipFeed {
  return (signal) =>
    changeFeed(hub, signal, (change) =>
      mayAffectOwnership(change)
        ? ownershipChangeFrom(change.place, change.object, change.kind === 'delete')
        : undefined,
    )
}

/** Finds the resources with objects in a namespace by counting keys. */
export function contentIndex(types: TypeRegistry, objects: ObjectStore): ContentIndex {
  return {
    async resourcesIn(cluster, namespace) {
      const namespaced = [...types.types(cluster)].filter((type) => type.namespaced)
      const counts = await Promise.all(
        namespaced.map(({ storage }) => objects.count(objectRange(storage, cluster, namespace))),
      )
      return namespaced
        .filter((_, index) => counts[index]! > 0)
        .map(({ group, names }) => ({ group, resource: names.plural }))
    },
  }
}

async function* keysOf(objects: ObjectStore, range: ReturnType<typeof dependentsRange>): AsyncGenerator<Uint8Array> {
  for await (const entries of objects.pages(range, { isLive: true })) {
    for (const { key } of entries) yield key
  }
}

// Searches the bytes before parsing: most changes have neither owners nor a deletion timestamp.
function mayAffectOwnership({ kind, bytes }: ObservedChange): boolean {
  if (kind === 'delete') return true
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return text.includes('"ownerReferences"') || text.includes('"deletionTimestamp"')
}
