import { randomUUID } from 'node:crypto'
import type { KubernetesObject } from '@hykube/machinery/object'
import { timeToText } from '@hykube/machinery/object'
import { changeKey, dropChanges, recordToBytes, type StoredChange } from '../estate/index.ts'
import { type ChangeRecord, makePlan, type NodePlace, nodeToText, type PlanRequest } from '../plan/index.ts'
import type { Operation } from '../storage/index.ts'
import { authorAnnotations } from './admission/plan-author.ts'
import { authorsUse } from './authors-use.ts'
import type { EngineParts } from './engine-parts.ts'
import type { PlanInHand } from './ledger.ts'
import { planSelection } from './plan-selection.ts'
import { EstateSink } from './plan-sink.ts'
import { planRequest, planSpecOf } from './plan-spec.ts'
import { planTelling } from './plan-telling.ts'
import { planPlace } from './plan-type.ts'

/** What became of what a plan had put off. */
export type Wave =
  | { readonly kind: 'none' }
  /** It is part of the plan now: changes to apply, and blocked ones with their reasons. */
  | { readonly kind: 'planned'; readonly changes: number }
  /** It holds more than was approved: another plan waits for its own approval. */
  | { readonly kind: 'follow-up'; readonly plan: string }

/**
 * Plans what was put off until something else was applied. Creations and updates of exactly what was listed as deferred were
 * approved along with the plan; anything else goes into a plan of its own.
 */
export async function planWave(
  parts: EngineParts,
  plan: PlanInHand,
  object: KubernetesObject,
  wave: number,
  signal: AbortSignal,
): Promise<Wave> {
  const deferred = await deferredOf(parts, plan)
  if (deferred.length === 0) return { kind: 'none' }
  const nodes = new Map(deferred.map(({ place }) => [nodeToText(place.node), place.node]))
  const draft: PlanInHand = { ...plan, uid: `${plan.uid}~${wave}` }
  const found = await draw(parts, draft, object, nodes, signal)
  try {
    const work = found.filter(({ record }) => record.action !== 'deferred' && record.action !== 'blocked')
    if (!work.every((change) => isApproved(change, nodes))) return await followUp(parts, plan, object, deferred)
    // A blocked record of an object that was not deferred must not overwrite the change that the plan has of it.
    const own = found.filter(({ place }) => nodes.has(nodeToText(place.node)))
    if (own.every(({ record }) => record.action === 'deferred')) return { kind: 'none' }
    await parts.reached?.('before-wave', plan.name)
    await adopt(parts, plan, deferred, own)
    await parts.reached?.('after-wave', plan.name)
    return { kind: 'planned', changes: own.length }
  } finally {
    await parts.estate.commit({ operations: dropChanges(plan.cluster, draft.uid) })
  }
}

async function deferredOf(
  { estate }: EngineParts,
  { cluster, uid }: PlanInHand,
): Promise<StoredChange<ChangeRecord>[]> {
  const deferred: StoredChange<ChangeRecord>[] = []
  for await (const change of estate.changes<ChangeRecord>(cluster, uid))
    if (change.record.action === 'deferred') deferred.push(change)
  return deferred
}

async function draw(
  parts: EngineParts,
  draft: PlanInHand,
  object: KubernetesObject,
  nodes: ReadonlyMap<string, NodePlace>,
  signal: AbortSignal,
): Promise<StoredChange<ChangeRecord>[]> {
  const { estate, reader } = parts
  const sink = new EstateSink(draft, estate, await estate.now(), planTelling(parts), () =>
    timeToText(parts.clock.now()),
  )
  const spec = { ...planSpecOf(object), scope: 'Changed' } as const
  const selection = await planSelection(parts, draft, spec, 'applying')
  const request: PlanRequest = {
    ...planRequest(spec, draft, { ...selection, targeted: new Set(nodes.keys()) }),
    refusesUse: authorsUse(parts, draft.cluster, object),
  }
  async function* places(): AsyncGenerator<NodePlace> {
    yield* nodes.values()
  }
  await makePlan(
    reader,
    request,
    { places: places(), isMarked: (node) => nodes.has(node), isUnsettled: () => true },
    sink,
    signal,
  )
  const found: StoredChange<ChangeRecord>[] = []
  for await (const change of estate.changes<ChangeRecord>(draft.cluster, draft.uid)) found.push(change)
  return found
}

function isApproved({ place, record }: StoredChange<ChangeRecord>, nodes: ReadonlyMap<string, NodePlace>): boolean {
  return ['create', 'update', 'read'].includes(record.action) && nodes.has(nodeToText(place.node))
}

// What was put off goes last: a server that dies in between plans it again, and finds done what was done.
async function adopt(
  { estate }: EngineParts,
  { cluster, uid }: PlanInHand,
  deferred: readonly StoredChange<ChangeRecord>[],
  found: readonly StoredChange<ChangeRecord>[],
): Promise<void> {
  const puts = found.map(({ place, record }) => {
    const key = changeKey({ ...place, cluster, plan: uid })
    return { kind: 'put', key, value: recordToBytes(record) } as const
  })
  const kept = new Set(puts.map(({ key }) => keyText(key)))
  const gone = deferred.filter(({ key }) => !kept.has(keyText(key)))
  const operations: Operation[] = [...puts, ...gone.map(({ key }) => ({ kind: 'delete', key }) as const)]
  for (let from = 0; from < operations.length; from += portion)
    await estate.commit({ operations: operations.slice(from, from + portion) })
}

const portion = 500

function keyText(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1')
}

async function followUp(
  { objects, clock }: EngineParts,
  { cluster, namespace, name, uid }: PlanInHand,
  object: KubernetesObject,
  deferred: readonly StoredChange<ChangeRecord>[],
): Promise<Wave> {
  const spec = {
    ...planSpecOf(object),
    approval: 'Manual',
    targets: [...new Set(deferred.map(({ record }) => objectAddress(record)))],
  }
  // The same one when it is asked for again after a crash.
  const next = `${name.slice(0, 240)}-${uid.slice(0, 5)}`
  const after: KubernetesObject = {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'Plan',
    metadata: {
      name: next,
      namespace,
      uid: randomUUID(),
      generation: 1,
      creationTimestamp: timeToText(clock.now()),
      annotations: authorAnnotations(object),
    },
    spec,
    status: { phase: 'Pending', message: `what plan ${JSON.stringify(name)} had put off` },
  }
  await objects.change([{ resource: planPlace, place: { cluster, namespace, name: next }, before: undefined, after }])
  return { kind: 'follow-up', plan: next }
}

// Of an instance, the whole object.
function objectAddress({ address }: ChangeRecord): string {
  return address.replace(/(?<=\.[\w-]+|"\])\[[^\]]*\]$/, '')
}
