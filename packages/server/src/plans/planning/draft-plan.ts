import { createHash } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanSpec, PlanStatus } from '@hykube/machinery/plan-api'
import type { SyncTrigger } from '@hykube/machinery/sync-api'
import type { UserInfo } from '../../auth/index.ts'
import { dropChanges, type RunningPlan, type StoredMark } from '../../estate/index.ts'
import type { ChangeRecord, ResourceObject } from '../../model/index.ts'
import { makePlan, type PlanRequest } from '../../planning/index.ts'
import { withAuthor } from '../api/plan-author.ts'
import { planRequest } from '../api/plan-spec.ts'
import { planResource } from '../api/plan-type.ts'
import { usesOf } from '../authors-use.ts'
import type { EngineParts } from '../engine-parts.ts'
import { statusWriter } from '../status/status-writer.ts'
import { EstateSink } from './plan-sink.ts'
import { plannedStatus } from './run-planning.ts'
import { Seeding } from './seeds.ts'
import { TriggerFilter } from './trigger-filter.ts'

/** A plan to be made before its Plan object exists. */
export interface DraftRequest {
  /** Where the Plan will be, and the uid that it will have: the changes are stored under it. */
  readonly plan: RunningPlan
  readonly spec: PlanSpec
  /** Which of the objects that the spec selects are part of it. */
  readonly selects: (node: ResourceObject) => boolean
  /** The plan contains only changes that these call for. */
  readonly triggers: ReadonlySet<SyncTrigger>
  readonly author: UserInfo
}

/** A plan whose changes are stored, and whose object is not. */
export interface PlanDraft {
  readonly status: PlanStatus
  /** Equal for plans with the same changes from the same inputs. */
  readonly digest: string
}

/**
 * Plans as a Plan object with this spec would, and leaves it to the caller to create that object or to drop the changes. A later
 * draft with the same uid replaces what an interrupted one left.
 */
export async function draftPlan(
  parts: EngineParts,
  { plan, spec, selects, triggers, author }: DraftRequest,
  signal: AbortSignal,
): Promise<PlanDraft> {
  const { estate, objects, kinds, reader, clock } = parts
  const { cluster, namespace, uid } = plan
  await dropDraft(parts, plan)
  const now = () => timeToText(clock.now())
  const since = await estate.now()
  const sink = new EstateSink(plan, estate, since, statusWriter(parts), now)
  const filter = new TriggerFilter(estate, triggers)
  const wanted = planRequest(spec, { cluster, namespace }, noAddresses)
  const request: PlanRequest = {
    ...wanted,
    unrestricted: false,
    selects: async (node) => (await wanted.selects(node)) && selects(node) && (await filter.allows(node.ref)),
    refusesUse: usesOf(parts, cluster, author),
  }
  const follows = (mark: StoredMark) => filter.follows(mark)
  const seeds = await new Seeding(estate, objects, kinds, { cluster, namespace }, follows).seeds(request, [])
  await makePlan(reader, request, seeds, sink, signal)
  const made = { at: now(), revision: since, through: await estate.now() }
  const status = plannedStatus({ phase: 'Planning' }, sink, undefined, made)
  return { status, digest: await digestOf(parts, cluster, uid) }
}

export async function dropDraft({ estate }: EngineParts, { cluster, uid }: RunningPlan): Promise<void> {
  await estate.commit({ operations: dropChanges(cluster, uid) })
}

/** Creates the Plan object of a draft. */
export async function storeDraft(
  { objects, clock }: EngineParts,
  { plan, spec, author }: DraftRequest,
  { status }: PlanDraft,
  metadata: Pick<NonNullable<KubernetesObject['metadata']>, 'labels' | 'annotations'>,
): Promise<void> {
  const { cluster, namespace, name, uid } = plan
  const creationTimestamp = timeToText(clock.now())
  const after = withAuthor(
    {
      apiVersion: 'hykube.io/v1alpha1',
      kind: 'Plan',
      metadata: { ...metadata, name, namespace, uid, generation: 1, creationTimestamp },
      spec: { ...spec },
      status: { ...status },
    },
    author,
  )
  await objects.change([{ resource: planResource, place: { cluster, namespace, name }, before: undefined, after }])
}

const noAddresses = {
  targeted: undefined,
  instances: new Map(),
  excluded: new Set<string>(),
  excludedInstances: new Map(),
  named: [],
}

// Revisions are left out: they move with each refresh, also where nothing differs.
async function digestOf({ estate }: EngineParts, cluster: string, uid: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const { record } of estate.changes<ChangeRecord>(cluster, uid)) {
    const { address, action, order, message, shown, work } = record
    hash.update(JSON.stringify([address, action, order, message, shown, work?.inputs]))
  }
  return hash.digest('hex').slice(0, 32)
}
