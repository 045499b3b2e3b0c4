import type { KubernetesObject, ResourceAddress } from '@hykube/machinery/object'
import { type Labels, labelSelectorFromObject, selectsLabels } from '@hykube/machinery/selector'
import { comparePrecedence, type SyncPolicySpec, type SyncPolicyStatus } from '@hykube/machinery/sync-api'

/** A SyncPolicy or ClusterSyncPolicy. */
export interface SyncPolicy extends KubernetesObject {
  readonly spec: SyncPolicySpec
  readonly status?: SyncPolicyStatus
}

/** An object, as far as policies look at it. */
export interface SyncedObject {
  readonly address: ResourceAddress
  readonly object: KubernetesObject
  readonly namespaceLabels: Labels | undefined
}

/** Says which mode holds for an object, and why. */
export function modeText(word: string, synced: SyncedObject, policies: readonly SyncPolicy[]): string {
  const own = (synced.object.spec as { lifecycle?: { sync?: string } } | undefined)?.lifecycle?.sync
  const all = policies.filter((policy) => matches(policy, synced)).sort(comparePrecedence)
  const [first, ...others] = all
  const passed = (own === undefined ? others : all)
    .map((policy) => `  ${nameOf(policy)} matches too, but does not hold.\n`)
    .join('')
  if (own !== undefined) return `${word}: ${own}, because its spec sets lifecycle.sync.\n${passed}`
  if (first === undefined) return `${word}: Manual, because no sync policy matches it.\n`
  const { mode, suspend } = first.spec
  const why = others.length === 0 ? 'because it is the only policy that matches' : 'because it comes first'
  const state = suspend === true ? ' The policy is suspended: the server does nothing.' : ''
  return `${word}: ${mode} by ${nameOf(first)}, ${why}.${state}\n${passed}`
}

function nameOf({ metadata }: SyncPolicy): string {
  const kind = isOfCluster(metadata) ? 'ClusterSyncPolicy' : 'SyncPolicy'
  return `${kind} ${JSON.stringify(metadata?.name)}`
}

function matches({ metadata, spec }: SyncPolicy, { address, object, namespaceLabels }: SyncedObject): boolean {
  const { selector = {}, namespaceSelector = {}, kinds = [] } = spec
  return (
    (!isOfCluster(metadata) || selectsLabels(labelSelectorFromObject(namespaceSelector), namespaceLabels)) &&
    (kinds.length === 0 || kinds.includes(address.type)) &&
    selectsLabels(labelSelectorFromObject(selector), object.metadata?.labels ?? undefined)
  )
}

function isOfCluster(metadata: KubernetesObject['metadata']): boolean {
  return metadata?.namespace == null || metadata.namespace === ''
}
