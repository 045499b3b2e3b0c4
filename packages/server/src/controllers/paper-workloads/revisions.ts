import { controllerOf, type KubernetesObject, type ObjectMeta } from '@hykube/machinery/object'
import type { Stored } from '@hykube/runtime/client'
import { sameTemplate, templateHash } from './template-hash.ts'
import type { Workload } from './workload.ts'

/** A stored template of a StatefulSet or DaemonSet, for rollbacks. */
export interface ControllerRevision extends KubernetesObject {
  readonly revision?: number
  readonly data?: { readonly spec?: { readonly template?: object } }
}

/** Actions after which the newest revision holds the workload's template. */
export interface RevisionsPlan {
  readonly create: ControllerRevision | undefined
  /** A revision that a rollback returned to, with its new number. */
  readonly renumber: { readonly name: string; readonly revision: number } | undefined
  /** Names of revisions beyond the history limit. */
  readonly remove: readonly string[]
}

/** Plans the revisions of a workload, given those that its selector matches. */
export function planRevisions(
  kind: string,
  workload: Stored<Workload>,
  found: readonly Stored<ControllerRevision>[],
): RevisionsPlan {
  const owned = found
    .filter((each) => controllerOf(each.metadata)?.uid === workload.metadata.uid)
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
  const current = owned.find((each) => sameTemplate(templateIn(each), workload.spec?.template))
  const newest = owned.at(-1)
  const next = (newest === undefined ? 0 : revisionOf(newest)) + 1
  const old = owned.filter((each) => each !== current)
  return {
    create: current === undefined ? newRevision(kind, workload, next) : undefined,
    renumber:
      current === undefined || current === newest ? undefined : { name: current.metadata.name ?? '', revision: next },
    remove: old.slice(0, Math.max(0, old.length - historyLimit(workload))).map(({ metadata }) => metadata.name ?? ''),
  }
}

function historyLimit({ spec }: Workload): number {
  return spec?.revisionHistoryLimit ?? 10
}

function revisionOf({ revision = 0 }: ControllerRevision): number {
  return revision
}

function templateIn({ data }: ControllerRevision): unknown {
  const { $patch: _, ...template } = (data?.spec?.template ?? {}) as { $patch?: string }
  return template
}

// `data` is the strategic merge patch that restores this template.
function newRevision(kind: string, { metadata, spec = {} }: Stored<Workload>, revision: number): ControllerRevision {
  const template = (spec.template ?? {}) as { readonly metadata?: ObjectMeta }
  const { name = '', namespace = '', uid = '', annotations = {} } = metadata
  const hash = templateHash(template)
  const owner = { apiVersion: 'apps/v1', kind, name, uid, controller: true, blockOwnerDeletion: true }
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, 'controller-revision-hash': hash },
      annotations: { ...annotations },
      ownerReferences: [owner],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } } },
    revision,
  }
}
