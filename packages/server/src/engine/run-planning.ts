import { timeToText } from '@hykube/machinery/object'
import { changeRange } from '../estate/index.ts'
import { parseAddress, referencesOf } from '../expression/index.ts'
import { makePlan, type NodePlace, nodeToText, resolveReferences } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { EstateSink } from './plan-sink.ts'
import { type PlanSpec, planRequest, planSpecOf } from './plan-spec.ts'
import { changePlanStatus, type PlanObject, type PlanStatus } from './plan-status.ts'
import { Seeding } from './seeds.ts'
import { tellData } from './tell-data.ts'

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
  await estate.commit({ operations: [{ kind: 'delete-range', range: changeRange(place.cluster, uid) }] })
  const since = await estate.now()
  const sink = new EstateSink({ uid, ...place }, estate, since, (...told) => tellData(parts, ...told))
  try {
    await plan(parts, { uid, ...place }, planSpecOf(object), sink, since, signal)
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
  return changePlanStatus(objects, place, uid, (status) => planned(status, sink, since, now()))
}

async function plan(
  parts: EngineParts,
  { uid, cluster, namespace }: PlanInHand,
  spec: PlanSpec,
  sink: EstateSink,
  since: number,
  signal: AbortSignal,
): Promise<void> {
  const { estate, objects, kinds, reader } = parts
  const targeted = await targetsOf(parts, cluster, namespace, spec)
  const request = planRequest(spec, namespace, (place) => targeted.has(nodeToText(place)))
  const area = { cluster, namespace: spec.allNamespaces === true ? undefined : namespace }
  const seeding = new Seeding(estate, objects, kinds, area)
  const seeds = await seeding.seeds(request)
  await makePlan(reader, request, seeds, sink, signal)
  if (request.unrestricted && request.mode === 'Normal')
    await seeding.finish({ plan: uid, since, hasChange: (node) => sink.hasChanged(node) })
}

// What is targeted, with everything it refers to.
async function targetsOf(
  { kinds, reader }: EngineParts,
  cluster: string,
  own: string,
  { targets = [] }: PlanSpec,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open: NodePlace[] = []
  for (const text of targets) {
    const { namespace = own, name, ...wanted } = parseAddress(text)
    for (const { group, resource, type, data, provider } of kinds.kinds(cluster))
      if (type === wanted.type && data === wanted.data && (wanted.provider ?? provider) === provider)
        open.push({ cluster, group, resource, namespace, name })
  }
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

function planned(status: PlanStatus, sink: EstateSink, revision: number, at: string): PlanStatus {
  if (status.canceled !== undefined) return { ...status, phase: 'Canceled', finishedAt: at }
  const { summary, hasChanges } = sink
  const phase = hasChanges ? 'Planned' : 'NoChanges'
  const message =
    summary.blocked === 0 ? undefined : `${summary.blocked} blocked: see the changes for what is in the way`
  return {
    ...status,
    phase,
    summary,
    planned: { at, revision },
    ...(message !== undefined && { message }),
    ...(phase === 'NoChanges' && { finishedAt: at }),
  }
}

function canceled(status: PlanStatus, finishedAt: string): PlanStatus | undefined {
  return status.canceled === undefined ? undefined : { ...status, phase: 'Canceled', finishedAt }
}
