import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import type { RunningPlan } from '../../estate/index.ts'
import { dropChanges } from '../../estate/index.ts'
import { makePlan, type PlanRequest } from '../../planning/index.ts'
import { planRequest, planSpecOf } from '../api/plan-spec.ts'
import { changePlanStatus, type PlanObject } from '../api/plan-status.ts'
import { authorsUse } from '../authors-use.ts'
import type { EngineParts } from '../engine-parts.ts'
import { statusWriter } from '../status/status-writer.ts'
import { writeDriftStatus } from '../status/write-drift.ts'
import { countObjects } from './count-objects.ts'
import { planSelection } from './plan-selection.ts'
import { EstateSink } from './plan-sink.ts'
import { Seeding } from './seeds.ts'

/** Makes the plan of a Plan object. Returns its status; undefined when the Plan was deleted meanwhile. */
export async function runPlanning(
  parts: EngineParts,
  { place, object }: PlanObject,
  signal: AbortSignal,
): Promise<PlanStatus | undefined> {
  const { objects, estate, clock } = parts
  const uid = object.metadata?.uid ?? ''
  const now = () => timeToText(clock.now())
  await changePlanStatus(objects, place, uid, (status) => ({ ...status, phase: 'Planning', startedAt: now() }))
  // Deletes the changes of an interrupted attempt.
  await estate.commit({ operations: dropChanges(place.cluster, uid) })
  const since = await estate.now()
  const sink = new EstateSink({ uid, ...place }, estate, since, statusWriter(parts), now)
  let noop: number | undefined
  let through = since
  try {
    noop = await plan(parts, { uid, ...place }, object, sink, since, signal)
    through = await estate.now()
  } catch (error) {
    // If the server is stopping, the plan stays in phase Planning and the next server starts it again.
    if (signal.aborted) return changePlanStatus(objects, place, uid, (status) => canceled(status, now()))
    return changePlanStatus(objects, place, uid, (status) => ({
      ...status,
      phase: 'Failed',
      message: parts.providers.describe(error),
      finishedAt: now(),
    }))
  }
  return changePlanStatus(objects, place, uid, (status) =>
    plannedStatus(status, sink, noop, { at: now(), revision: since, through }),
  )
}

// Returns the number of unchanged objects; undefined when the plan is restricted, because it would have to visit them.
async function plan(
  parts: EngineParts,
  { uid, cluster, namespace }: RunningPlan,
  object: KubernetesObject,
  sink: EstateSink,
  since: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { estate, objects, kinds, reader } = parts
  const spec = planSpecOf(object)
  const selection = await planSelection(parts, { cluster, namespace }, spec, 'planning')
  const request: PlanRequest = {
    ...planRequest(spec, { cluster, namespace }, selection),
    refusesUse: authorsUse(parts, cluster, object),
  }
  const area = { cluster, namespace: spec.allNamespaces === true ? undefined : namespace }
  const seeding = new Seeding(estate, objects, kinds, area)
  const seeds = await seeding.seeds(request, selection.named)
  await makePlan(reader, request, seeds, sink, signal)
  // Only refresh-only plans report drift in the status of objects.
  if (request.mode === 'RefreshOnly') for (const ref of sink.observedObjects) await writeDriftStatus(parts, ref)
  if (request.unrestricted && request.mode === 'Normal')
    await seeding.finish({ plan: uid, since, hasPendingChanges: (refText) => sink.hasPendingChanges(refText) })
  if (!request.unrestricted) return undefined
  return Math.max(0, (await countObjects(objects, kinds, area)) - sink.changedObjects)
}

/** The status of a plan whose changes are all recorded. */
export function plannedStatus(
  status: PlanStatus,
  sink: EstateSink,
  noop: number | undefined,
  made: NonNullable<PlanStatus['planned']>,
): PlanStatus {
  const { at } = made
  if (status.canceled !== undefined) return { ...status, phase: 'Canceled', finishedAt: at }
  const { summary, hasChanges } = sink
  const phase = hasChanges ? 'Planned' : summary.blocked > 0 ? 'Blocked' : 'NoChanges'
  const message = summary.blocked === 0 ? undefined : `${summary.blocked} blocked: see the changes for the reasons`
  return {
    ...status,
    phase,
    summary: { ...summary, ...(noop !== undefined && { noop }) },
    planned: made,
    ...(message !== undefined && { message }),
    ...(phase !== 'Planned' && { finishedAt: at }),
  }
}

function canceled(status: PlanStatus, finishedAt: string): PlanStatus | undefined {
  return status.canceled === undefined ? undefined : { ...status, phase: 'Canceled', finishedAt }
}
