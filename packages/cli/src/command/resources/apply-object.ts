import type { JsonObject } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { type Client, failedWith, type ObjectAt, type Stored } from '@hykube/runtime/client'

/**
 * Writes an object with server-side apply. Fields that `kubectl apply` wrote before pass to this field manager first, as
 * `kubectl apply --server-side` does: otherwise a line removed from the file would leave its field behind.
 */
export async function applyObject(client: Client, at: ObjectAt, object: KubernetesObject): Promise<Stored> {
  for (let attempt = 1; ; attempt++) {
    const stored = await client.patch<Stored>(at, { kind: 'apply', object, force: true })
    const managedFields = withoutClientSideApply(stored.metadata.managedFields ?? [])
    if (managedFields === undefined) return stored
    try {
      await client.patch(at, {
        kind: 'json',
        operations: [
          { op: 'replace', path: '/metadata/managedFields', value: managedFields },
          { op: 'replace', path: '/metadata/resourceVersion', value: stored.metadata.resourceVersion },
        ],
      })
    } catch (error) {
      if (!failedWith(error, 'Conflict') || attempt === maxAttempts) throw error
    }
  }
}

const maxAttempts = 5

type Entry = NonNullable<NonNullable<KubernetesObject['metadata']>['managedFields']>[number]

/** Moves the fields of client-side applies to the entry of server-side apply; undefined when there are none. */
function withoutClientSideApply(entries: readonly Entry[]): Entry[] | undefined {
  const moved = entries.filter(isClientSideApply)
  if (moved.length === 0) return undefined
  return entries
    .filter((entry) => !isClientSideApply(entry))
    .map((entry) => {
      if (entry.manager !== 'hykube' || entry.operation !== 'Apply') return entry
      return { ...entry, fieldsV1: [entry, ...moved].map(({ fieldsV1 }) => fieldsV1 ?? {}).reduce(union) }
    })
}

// The managers of kubectl's client-side apply, before and after its fields were tracked.
function isClientSideApply({ manager, operation, subresource }: Entry): boolean {
  const isKubectl = manager === 'kubectl-client-side-apply' || manager === 'before-first-apply'
  return isKubectl && operation === 'Update' && (subresource ?? '') === ''
}

// FieldsV1 is a tree of objects whose leaves are empty.
function union(a: JsonObject, b: JsonObject): JsonObject {
  const merged = Object.entries(b).map(([key, value]) => [
    key,
    Object.hasOwn(a, key) ? union(a[key] as JsonObject, value as JsonObject) : value,
  ])
  return { ...a, ...Object.fromEntries(merged) }
}
