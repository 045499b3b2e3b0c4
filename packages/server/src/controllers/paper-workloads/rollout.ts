import { clusterAnnotation, controllerOf, type KubernetesObject, type ObjectMeta } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { sameTemplate, templateHash, templateHashLabel } from './template-hash.ts'
import { replicasOf, type Workload } from './workload.ts'

/** Actions that give a Deployment the ReplicaSets of a finished rollout. */
export interface Rollout {
  /** Name of the ReplicaSet with the Deployment's template. */
  readonly current: string
  /** True when the pods have the Deployment's template; false when it was paused before the template changed. */
  readonly rolledOut: boolean
  /** Value of the Deployment's revision annotation; undefined when it is paused before its first rollout. */
  readonly revision: number | undefined
  readonly create: KubernetesObject | undefined
  /** Merge patches by ReplicaSet name. */
  readonly patches: readonly { readonly name: string; readonly patch: object }[]
  /** Names of ReplicaSets beyond the history limit. */
  readonly remove: readonly string[]
}

export const revisionAnnotation = 'deployment.kubernetes.io/revision'
const historyAnnotation = 'deployment.kubernetes.io/revision-history'

/** Plans the ReplicaSets of a Deployment, given those that its selector matches. */
export function planRollout(deployment: Stored<Workload>, found: readonly Stored<Workload>[]): Rollout {
  const owned = found.filter((each) => controllerOf(each.metadata)?.uid === deployment.metadata.uid)
  const free = found.filter((each) => controllerOf(each.metadata) === undefined && !each.metadata.deletionTimestamp)
  const matches = (each: Workload) => sameTemplate(each.spec?.template, deployment.spec?.template)
  const current = owned.find(matches) ?? free.find(matches)
  const old = owned.filter((each) => each !== current)
  const newestOld = Math.max(0, ...old.map(revisionOf))
  const name = current?.metadata.name ?? `${deployment.metadata.name}-${templateHash(deployment.spec?.template)}`
  const resting = old
    .filter((each) => replicasOf(each) !== 0)
    .map((each) => ({ name: each.metadata.name ?? '', patch: { spec: { replicas: 0 } } }))
  if (current === undefined && deployment.spec?.paused)
    return {
      current: name,
      rolledOut: false,
      revision: newestOld || undefined,
      create: undefined,
      patches: [],
      remove: [],
    }
  const revision = current !== undefined && revisionOf(current) > newestOld ? revisionOf(current) : newestOld + 1
  const adjusting = current === undefined ? undefined : adjustment(deployment, current, revision)
  return {
    current: name,
    rolledOut: true,
    revision,
    create: current === undefined ? newReplicaSet(deployment, name, revision) : undefined,
    patches: [...resting, ...(adjusting === undefined ? [] : [{ name, patch: adjusting }])],
    remove: beyondHistory(deployment, old),
  }
}

function revisionOf({ metadata }: KubernetesObject): number {
  return Number(metadata?.annotations?.[revisionAnnotation] ?? 0) || 0
}

// A ReplicaSet that a rollback returned to gets a new revision number; one without a controller is adopted.
function adjustment(deployment: Stored<Workload>, current: Stored<Workload>, revision: number): object | undefined {
  const replicas = replicasOf(deployment)
  const owned = controllerOf(current.metadata) !== undefined
  if (owned && revisionOf(current) === revision && replicasOf(current) === replicas) return undefined
  const ownerReferences = [...(current.metadata.ownerReferences ?? []), ownerReference(deployment)]
  return {
    metadata: {
      uid: current.metadata.uid,
      annotations: { ...annotationsOf(deployment, revision), ...pastNumbers(current, revision) },
      ...(owned ? {} : { ownerReferences }),
    },
    spec: { replicas },
  }
}

// Previous revision numbers of a ReplicaSet, oldest first.
function pastNumbers(current: Stored<Workload>, revision: number): Record<string, string> {
  const before = revisionOf(current)
  if (before === 0 || before === revision) return {}
  const history = current.metadata.annotations?.[historyAnnotation]
  return { [historyAnnotation]: history ? `${history},${before}` : String(before) }
}

function newReplicaSet(deployment: Stored<Workload>, name: string, revision: number): KubernetesObject {
  const { spec = {}, metadata } = deployment
  const template = (spec.template ?? {}) as { readonly metadata?: ObjectMeta }
  const selector = (spec.selector ?? {}) as { readonly matchLabels?: object }
  const hash = { [templateHashLabel]: templateHash(template) }
  const labels = { ...template.metadata?.labels, ...hash }
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: metadata.namespace ?? '',
      labels,
      annotations: annotationsOf(deployment, revision),
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      replicas: replicasOf(deployment),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, ...hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

function ownerReference({ metadata }: Stored<Workload>) {
  const { name = '', uid = '' } = metadata
  return { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true, blockOwnerDeletion: true }
}

function annotationsOf({ metadata, ...deployment }: Stored<Workload>, revision: number): Record<string, string> {
  const copied = Object.entries(metadata.annotations ?? {}).filter(([name]) => !notCopied.has(name))
  const replicas = String(replicasOf(deployment))
  return {
    ...Object.fromEntries(copied),
    'deployment.kubernetes.io/desired-replicas': replicas,
    'deployment.kubernetes.io/max-replicas': replicas,
    [revisionAnnotation]: String(revision),
  }
}

const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  clusterAnnotation,
  revisionAnnotation,
  historyAnnotation,
])

function beyondHistory({ spec }: Workload, old: readonly Stored<Workload>[]): string[] {
  const surplus = old.length - (spec?.revisionHistoryLimit ?? 10)
  if (surplus <= 0) return []
  const byAge = old.toSorted((a, b) => revisionOf(a) - revisionOf(b))
  return byAge.slice(0, surplus).map(({ metadata }) => metadata.name ?? '')
}
