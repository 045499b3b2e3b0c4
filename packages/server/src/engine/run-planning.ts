import { type KubernetesObject, timeToText } from '@hykube/machinery/object'
import { dropChanges } from '../estate/index.ts'
import { parseAddress, referencesOf } from '../expression/index.ts'
import { makePlan, type NodePlace, nodeToText, type PlanRequest, resolveReferences } from '../plan/index.ts'
import { authorsUse } from './authors-use.ts'
import { countObjects } from './count-objects.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
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
  try {
    noop = await plan(parts, { uid, ...place }, object, sink, since, signal)
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
  return changePlanStatus(objects, place, uid, (status) => planned(status, sink, noop, since, now()))
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
  const placesOf = (addresses: readonly string[] = []) => addressedPlaces(parts, cluster, namespace, addresses)
  const targets = placesOf(spec.targets)
  const targeted = await withReferences(parts, targets)
  const request: PlanRequest = {
    ...planRequest(spec, namespace, (place) => targeted.has(nodeToText(place))),
    refusesUse: authorsUse(parts, cluster, object),
  }
  const area = { cluster, namespace: spec.allNamespaces === true ? undefined : namespace }
  const seeding = new Seeding(estate, objects, kinds, area)
  const seeds = await seeding.seeds(request, [...targets, ...placesOf(spec.replace)])
  await makePlan(reader, request, seeds, sink, signal)
  // Looking is all that such a plan is for; any other one writes nothing to the objects that it plans.
  if (request.mode === 'RefreshOnly') for (const node of sink.looked) await tellDrift(parts, node)
  if (request.unrestricted && request.mode === 'Normal')
    await seeding.finish({ plan: uid, since, hasLeft: (node) => sink.hasLeft(node) })
  if (!request.unrestricted) return undefined
  return Math.max(0, (await countObjects(objects, kinds, area)) - sink.changedObjects)
}

// Where the objects are, or would be, that addresses name.
function addressedPlaces(
  { kinds }: EngineParts,
  cluster: string,
  own: string,
  addresses: readonly string[],
): readonly NodePlace[] {
  return addresses.flatMap((text) => {
    const { namespace = own, name, ...wanted } = parseAddress(text)
    return [...kinds.kinds(cluster)]
      .filter(
        ({ type, data, provider }) =>
          type === wanted.type && data === wanted.data && (wanted.provider ?? provider) === provider,
      )
      .map(({ group, resource }) => ({ cluster, group, resource, namespace, name }))
  })
}

// What is targeted, with everything it refers to.
async function withReferences(
  { kinds, reader }: EngineParts,
  targets: readonly NodePlace[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open = [...targets]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const text = nodeToText(place)
    const node = found.has(text) ? undefined : await reader.node(place)
    if (node === undefined) continue
    found.add(text)
    const references = referencesOf(node.kind.schema.block, node.spec).references.map(({ reference }) => reference)
    for (const target of resolveReferences(node, references, kinds).targets)
      if (target.kind !== undefined) open.push(target.place)
  }
  return found
}

function planned(
  status: PlanStatus,
  sink: EstateSink,
  noop: number | undefined,
  revision: number,
  at: string,
): PlanStatus {
  if (status.canceled !== undefined) return { ...status, phase: 'Canceled', finishedAt: at }
  const { summary, hasChanges } = sink
  const phase = hasChanges ? 'Planned' : summary.blocked > 0 ? 'Blocked' : 'NoChanges'
  const message =
    summary.blocked === 0 ? undefined : `${summary.blocked} blocked: see the changes for what is in the way`
  return {
    ...status,
    phase,
    summary: { ...summary, ...(noop !== undefined && { noop }) },
    planned: { at, revision },
    ...(message !== undefined && { message }),
    ...(phase !== 'Planned' && { finishedAt: at }),
  }
}

function canceled(status: PlanStatus, finishedAt: string): PlanStatus | undefined {
  return status.canceled === undefined ? undefined : { ...status, phase: 'Canceled', finishedAt }
}
