import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden } from '@hykube/machinery/status'
import type { ObjectChange } from '../../../resource/index.ts'
import type { AdmissionPlugin, AdmissionRequest } from '../../chain.ts'
import { type Amounts, amountsToObject, excessOf } from '../amounts.ts'
import { checkQuota } from './check.ts'
import { KeyedLocks } from './keyed-locks.ts'
import { type CountedResource, usageOf } from './usage.ts'

/** A quota with the change that updates it. */
export interface SeenQuota {
  readonly quota: KubernetesObject
  /** Change that writes this status; its precondition is that the quota did not change since it was read. */
  change(status: object): ObjectChange
}

/** Reads quotas. */
export interface QuotaReader {
  /** True when a namespace has any. Cheap: called for every write. */
  hasQuotas(cluster: string, namespace: string): boolean
  /** Quotas of a namespace, by name. */
  read(cluster: string, namespace: string): Promise<readonly SeenQuota[]>
}

/**
 * Enforces resource quotas. The usage of an object is added to the status of each quota in the same commit that stores
 * the object, so the sum is correct under concurrent writes and after failures. Within one server, writes to a
 * namespace with quotas run one after the other, because each of them changes the quota.
 */
export function resourceQuota(reader: QuotaReader): AdmissionPlugin {
  const locks = new KeyedLocks()
  return {
    name: 'ResourceQuota',
    handles: (request) => isCounted(request) && reader.hasQuotas(request.cluster, request.namespace),
    validate: async (request) => {
      const resource = { group: request.type.group, plural: request.type.names.plural }
      const delta = deltaOf(resource, request)
      if (delta.size === 0) return
      const { addToCommit } = request
      if (addToCommit === undefined) return void (await charge(reader, request, resource, delta))
      const release = await locks.acquire(`${request.cluster}/${request.namespace}`)
      try {
        const changes = await charge(reader, request, resource, delta)
        addToCommit({ changes, settled: release })
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** Kinds whose updates may increase their usage. */
const growing = new Set(['services', 'persistentvolumeclaims'])

function isCounted({ operation, type, subresource, namespace }: AdmissionRequest): boolean {
  if (namespace === '') return false
  if (operation === 'CREATE') return subresource === ''
  if (operation !== 'UPDATE' || type.group !== '') return false
  const { plural } = type.names
  return plural === 'pods' ? subresource === 'resize' : subresource === '' && growing.has(plural)
}

function deltaOf(resource: CountedResource, { object, old }: AdmissionRequest): Amounts {
  const after = usageOf(resource, object ?? {})
  return excessOf(after, old === undefined ? new Map() : usageOf(resource, old))
}

async function charge(
  reader: QuotaReader,
  { cluster, namespace, type, name, object }: AdmissionRequest,
  resource: CountedResource,
  delta: Amounts,
): Promise<ObjectChange[]> {
  const changes: ObjectChange[] = []
  for (const { quota, change } of await reader.read(cluster, namespace)) {
    const verdict = checkQuota(quota, resource, object ?? {}, delta)
    if (verdict.kind === 'refused')
      throw forbidden({ group: type.group, resource: type.names.plural }, name, verdict.why)
    if (verdict.kind === 'charged')
      changes.push(change({ ...(quota.status as object), used: amountsToObject(verdict.used) }))
  }
  return changes
}
