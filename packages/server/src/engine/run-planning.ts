import { timeToText } from '@hykube/machinery/object'
import { dropChanges } from '../estate/index.ts'
import { makePlan } from '../plan/index.ts'
import { countObjects } from './count-objects.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { planSelection } from './plan-selection.ts'
import { EstateSink } from './plan-sink.ts'
import { type PlanSpec, planRequest, planSpecOf } from './plan-spec.ts'
import { changePlanStatus, type PlanObject, type PlanStatus } from './plan-status.ts'
import { Seeding } from './seeds.ts'
import { tellData } from './tell-data.ts'
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
  const sink = new EstateSink({ uid, ...place }, estate, since, (...told) => tellData(parts, ...told))
  let noop: number | undefined
  let through = since
  try {
    noop = await plan(parts, { uid, ...place }, planSpecOf(object), sink, since, signal)
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
  spec: PlanSpec,
  sink: EstateSink,
  since: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { estate, objects, kinds, reader } = parts
  const selection = await planSelection(parts, { cluster, namespace }, spec, 'planning')
  const request = planRequest(spec, { cluster, namespace }, selection)
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
  const phase = hasChanges ? 'Planned' : 'NoChanges'
  const message =
    summary.blocked === 0 ? undefined : `${summary.blocked} blocked: see the changes for what is in the way`
  return {
    ...status,
    phase,
    summary: { ...summary, ...(noop !== undefined && { noop }) },
    planned: made,
    ...(message !== undefined && { message }),
    ...(phase === 'NoChanges' && { finishedAt: at }),
  }
}

function canceled(status: PlanStatus, finishedAt: string): PlanStatus | undefined {
  return status.canceled === undefined ? undefined : { ...status, phase: 'Canceled', finishedAt }
}
