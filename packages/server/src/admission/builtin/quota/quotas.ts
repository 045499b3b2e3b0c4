import type { KubernetesObject } from '@hykube/machinery/object'
import {
  changeFeed,
  decodeObject,
  NamespaceIndex,
  type ObjectStore,
  objectRange,
  type TypeRegistry,
  type WatchHub,
} from '../../../resource/index.ts'
import type { LimitRangeReader } from '../limit-range/limit-ranger.ts'
import { calculateQuota, type QuotaContent } from './calculate.ts'
import type { QuotaReader } from './quota-admission.ts'

const quotas = { group: '', resource: 'resourcequotas' }
const limitRanges = { group: '', resource: 'limitranges' }

interface NamespacePlace {
  readonly cluster: string
  readonly namespace: string
}

/** Quotas and limit ranges of namespaces, for admission and for the controller that recalculates usage. */
export interface Quotas {
  readonly quotaReader: QuotaReader
  readonly limitRangeReader: LimitRangeReader
  readonly ports: {
    readonly feed: (signal: AbortSignal) => AsyncIterable<NamespacePlace>
    readonly calculate: (
      cluster: string,
      namespace: string,
      quota: KubernetesObject,
    ) => ReturnType<typeof calculateQuota>
  }
}

/** Indexes the quotas and limit ranges of all namespaces and watches them. */
export async function openQuotas(objects: ObjectStore, hub: WatchHub, types: TypeRegistry): Promise<Quotas> {
  const withQuotas = await NamespaceIndex.open(objects, hub, quotas)
  const withRanges = await NamespaceIndex.open(objects, hub, limitRanges)
  return {
    quotaReader: {
      hasQuotas: (cluster, namespace) => withQuotas.has(cluster, namespace),
      read: (cluster, namespace) => readQuotas(objects, withQuotas, cluster, namespace),
    },
    limitRangeReader: {
      hasLimitRanges: (cluster, namespace) => withRanges.has(cluster, namespace),
      read: async (cluster, namespace) =>
        (await readAll(objects, limitRanges, withRanges, cluster, namespace)).map(({ object }) => object),
    },
    ports: {
      feed: (signal) => quotaFeed(hub, withQuotas, signal),
      calculate: async (cluster, namespace, quota) =>
        calculateQuota(quota, await contentOf(objects, types, cluster, namespace)),
    },
  }
}

async function readAll(
  objects: ObjectStore,
  resource: { readonly group: string; readonly resource: string },
  index: NamespaceIndex,
  cluster: string,
  namespace: string,
) {
  const read = async (name: string) => {
    const place = { cluster, namespace, name }
    const stored = await objects.get(resource, place)
    return stored === undefined ? [] : [{ place, stored, object: decodeObject(stored.bytes) }]
  }
  return (await Promise.all(index.names(cluster, namespace).map(read))).flat()
}

async function readQuotas(objects: ObjectStore, index: NamespaceIndex, cluster: string, namespace: string) {
  const found = await readAll(objects, quotas, index, cluster, namespace)
  return found.map(({ place, stored, object }) => ({
    quota: object,
    change: (status: object) => ({
      resource: quotas,
      place,
      before: stored,
      beforeObject: object,
      after: { ...object, status },
      tag: stored.tag,
    }),
  }))
}

// Reads the content after the quota, so the numbers are at least as new as the quota they are for.
async function contentOf(
  objects: ObjectStore,
  types: TypeRegistry,
  cluster: string,
  namespace: string,
): Promise<QuotaContent> {
  const rangeOf = ({ group, plural }: { readonly group: string; readonly plural: string }) => {
    const type = [...types.types(cluster)].find((each) => each.group === group && each.names.plural === plural)
    return type?.namespaced ? objectRange(type.storage, cluster, namespace) : undefined
  }
  return {
    count: async (resource) => {
      const range = rangeOf(resource)
      return range === undefined ? 0 : objects.count(range)
    },
    async *objects(resource) {
      const range = rangeOf(resource)
      if (range === undefined) return
      for await (const entries of objects.pages(range)) {
        for (const { value } of entries) yield decodeObject(value)
      }
    },
  }
}

/** Kinds whose updates may change usage without admission, such as pods that finish. */
const updatable = new Set(['pods', 'services', 'persistentvolumeclaims'])

function quotaFeed(hub: WatchHub, withQuotas: NamespaceIndex, signal: AbortSignal): AsyncIterable<NamespacePlace> {
  return changeFeed(hub, signal, ({ place: { cluster, namespace, group, resource }, kind, previous }) => {
    if (namespace === '' || !withQuotas.has(cluster, namespace)) return undefined
    const mayRelease = kind === 'delete' || (previous !== undefined && group === '' && updatable.has(resource))
    return mayRelease ? { cluster, namespace } : undefined
  })
}
