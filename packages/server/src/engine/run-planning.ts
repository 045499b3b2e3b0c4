import { type KubernetesObject, timeToText } from '@hykube/machinery/object'
import { dropChanges } from '../estate/index.ts'
import { makePlan, type PlanRequest } from '../plan/index.ts'
import { authorsUse } from './authors-use.ts'
import { countObjects } from './count-objects.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { planSelection } from './plan-selection.ts'
import { EstateSink } from './plan-sink.ts'
import { planRequest, planSpecOf } from './plan-spec.ts'
import { changePlanStatus, type PlanObject, type PlanStatus } from './plan-status.ts'
import { planTelling } from './plan-telling.ts'
import { Seeding } from './seeds.ts'
import { tellDrift } from './tell-drift.ts'

/** Makes the plan that a Plan object asks for. Gives how it stands then; undefined when it was taken away meanwhile. */
export async function runPlanning(
  parts: EngineParts,
  { place, object }: PlanObject,
  signal: AbortSignal,
): Promise<PlanStatus | undefined> {
  const { objects, estate, clock } = parts
  const uid = object.metadata?.uid ?? ''
  const now = () => timeToText(clock.now())
  await changePlanStatus(objects, place, uid, (status) => ({ ...status, phase: 'Planning', startedAt: now() }))
  // What an earlier attempt left is not part of this one.
  await estate.commit({ operations: dropChanges(place.cluster, uid) })
  const since = await estate.now()
  const sink = new EstateSink({ uid, ...place }, estate, since, planTelling(parts), now)
  let noop: number | undefined
  let through = since
  try {
    noop = await plan(parts, { uid, ...place }, object, sink, since, signal)
    through = await estate.now()
  } catch (error) {
    // A server that stops leaves it to the next one.
    if (signal.aborted) return changePlanStatus(objects, place, uid, (status) => canceled(status, now()))
    return changePlanStatus(objects, place, uid, (status) => ({
      ...status,
      phase: 'Failed',
      message: parts.providers.describe(error),
      finishedAt: now(),
    }))
  }
  return changePlanStatus(objects, place, uid, (status) =>
    planned(status, sink, noop, { at: now(), revision: since, through }),
  )
}

// Gives how many objects stay as they are, where that is known without looking at them.
async function plan(
  parts: EngineParts,
  { uid, cluster, namespace }: PlanInHand,
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
  // Looking is all that such a plan is for; any other one writes nothing to the objects that it plans.
  if (request.mode === 'RefreshOnly') for (const node of sink.looked) await tellDrift(parts, node)
  if (request.unrestricted && request.mode === 'Normal')
    await seeding.finish({ plan: uid, since, hasLeft: (node) => sink.hasLeft(node) })
  if (!request.unrestricted) return undefined
  return Math.max(0, (await countObjects(objects, kinds, area)) - sink.changedObjects)
}

function planned(
  status: PlanStatus,
  sink: EstateSink,
  noop: number | undefined,
  made: NonNullable<PlanStatus['planned']>,
): PlanStatus {
  const { at } = made
  if (status.canceled !== undefined) return { ...status, phase: 'Canceled', finishedAt: at }
  const { summary, hasChanges } = sink
  const phase = hasChanges ? 'Planned' : summary.blocked > 0 ? 'Blocked' : 'NoChanges'
  const message =
    summary.blocked === 0 ? undefined : `${summary.blocked} blocked: see the changes for what is in the way`
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
