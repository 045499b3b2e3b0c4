import { createHash } from 'node:crypto'
import type { JsonObject } from '@hykube/machinery/json'
import {
  addressToText,
  type Condition,
  clusterAnnotation,
  type KubernetesObject,
  type ObjectMeta,
} from '@hykube/machinery/object'
import { resolvedProvidersOf } from '../../estate/index.ts'
import { resolveReferences } from '../../evaluation/index.ts'
import { referencesOf } from '../../expression/index.ts'
import { conditionsOf, kindVersion } from '../../provider/index.ts'
import type { ListedKind, ServedKinds } from '../kind-catalogue.ts'

/** An object of the kind `Resource`: the row of an object of a provider's kind. */
export interface ResourceRow extends KubernetesObject {
  readonly spec: {
    readonly type: string
    readonly mode: 'managed' | 'data'
    readonly provider: string
    readonly objectRef: {
      readonly apiVersion: string
      readonly kind: string
      readonly resource: string
      readonly name: string
    }
    /** The addresses of the objects that the object refers to, in byte order. */
    readonly references: readonly string[] | undefined
  }
  readonly status: {
    readonly conditions: readonly Condition[]
    readonly instances?: { readonly total: number; readonly ready: number }
  }
}

/** The name of an object's row: its address, with the Provider where several have the type. */
export function rowName(kinds: ServedKinds, cluster: string, kind: ListedKind, name: string): string {
  return addressFrom(kinds, cluster, kind, { name })
}

function addressFrom(
  kinds: ServedKinds,
  cluster: string,
  kind: ListedKind,
  target: { readonly name: string; readonly namespace?: string },
): string {
  const { provider, data, type } = kind
  const isShared = kinds.listedOfType(cluster, kind).length > 1
  return addressToText({ ...(isShared && { provider }), data, type, ...target })
}

/** The row of an object, in a group and version. */
export function resourceRow(
  kinds: ServedKinds,
  cluster: string,
  kind: ListedKind,
  object: KubernetesObject,
  apiVersion: string,
): ResourceRow {
  const { type, data, provider, group, resource } = kind
  const { name = '' } = object.metadata ?? {}
  const objectRef = { apiVersion: `${group}/${kindVersion}`, kind: kind.kind, resource, name }
  const { uid = '' } = object.metadata ?? {}
  const { apiVersion: of, kind: its } = objectRef
  return {
    apiVersion,
    kind: 'Resource',
    metadata: {
      ...sharedMetadata(object.metadata ?? {}),
      name: rowName(kinds, cluster, kind, name),
      uid: rowUid(apiVersion, uid),
      // Tools that find managed objects by labels take a row for a part of its object, and leave it alone.
      ownerReferences: [{ apiVersion: of, kind: its, name, uid }],
    },
    spec: {
      type,
      mode: data ? 'data' : 'managed',
      provider,
      objectRef,
      // A getter, because a table of rows does without, and parsing expressions costs more than the rest of a row.
      get references() {
        return referencesFrom(kinds, cluster, kind, object)
      },
    },
    status: { conditions: conditionsOf(object), ...instancesOf(object) },
  }
}

// Of the annotations only the logical cluster: others hold the whole object again, as kubectl's last applied configuration.
function sharedMetadata({
  namespace,
  resourceVersion,
  generation,
  creationTimestamp,
  deletionTimestamp,
  labels,
  annotations,
}: ObjectMeta): ObjectMeta {
  const cluster = annotations?.[clusterAnnotation]
  return {
    ...(namespace !== undefined && { namespace }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(generation !== undefined && { generation }),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(deletionTimestamp != null && { deletionTimestamp }),
    ...(labels !== undefined && { labels }),
    ...(cluster !== undefined && { annotations: { [clusterAnnotation]: cluster } }),
  }
}

// Clients tell objects apart by uid, so a row must not have the uid of its object. A name-based UUID (RFC 9562, version 5).
function rowUid(apiVersion: string, uid: string): string {
  const hash = createHash('sha1').update(`${apiVersion}/${uid}`).digest('hex')
  const variant = ((Number.parseInt(hash[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function instancesOf({ spec, status }: KubernetesObject): Pick<ResourceRow['status'], 'instances'> {
  const { count } = (spec ?? {}) as { readonly count?: unknown }
  const { instances } = (status ?? {}) as {
    readonly instances?: { readonly total?: unknown; readonly ready?: unknown }
  }
  const total = instances?.total ?? count
  if (typeof total !== 'number') return {}
  return { instances: { total, ready: typeof instances?.ready === 'number' ? instances.ready : 0 } }
}

function referencesFrom(
  kinds: ServedKinds,
  cluster: string,
  { provider, group, resource }: ListedKind,
  object: KubernetesObject,
): readonly string[] | undefined {
  const { namespace = '', name = '' } = object.metadata ?? {}
  const ref = { cluster, group, resource, namespace, name }
  const found = referencesOf(undefined, (object.spec ?? {}) as JsonObject).references.map(({ reference }) => reference)
  const { targets } = resolveReferences(
    { ref, kind: { provider }, resolved: resolvedProvidersOf(object) },
    found,
    kinds,
  )
  const addresses = targets.flatMap(({ kind, ref: { namespace: other, name } }) =>
    kind === undefined
      ? []
      : [addressFrom(kinds, cluster, kind, other === namespace ? { name } : { name, namespace: other })],
  )
  return addresses.length === 0 ? undefined : [...new Set(addresses)].sort()
}
