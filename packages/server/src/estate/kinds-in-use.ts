import { type ObjectStore, objectFromKey, objectKey, objectRange } from '../resource/index.ts'

/** Lists the kinds that have objects in a cluster or namespace. */
export async function* kindsInUse(
  objects: ObjectStore,
  { cluster, namespace }: { readonly cluster: string; readonly namespace: string | undefined },
) {
  const { space } = objectRange({ group: '', resource: '' })
  const scope = namespace === undefined ? [cluster] : [cluster, namespace]
  const range = { space, prefix: [undefined, undefined, undefined, ...scope] }
  // Skips from the first object of each kind to the first object of the next one.
  let page = await objects.scan(range, { limit: 1 })
  for (let [entry] = page.entries; entry !== undefined; [entry] = page.entries) {
    const { group, resource, identity = '' } = objectFromKey(entry.key)
    yield { group, resource, identity }
    const after = objectKey({ group, resource, identity }, { cluster, namespace: last, name: last })
    page = await objects.scan(range, { limit: 1, after })
  }
}

// Sorts after every name.
const last = '\u{10ffff}'
