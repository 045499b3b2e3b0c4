import { randomUUID } from 'node:crypto'
import { timeToText } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { RunningPlan } from '../../estate/index.ts'
import { changeKey, dropChanges, recordToBytes, type StoredChange } from '../../estate/index.ts'
import { type ChangeRecord, type ResourceRef, refToText } from '../../model/index.ts'
import { makePlan, type PlanRequest } from '../../planning/index.ts'
import type { Operation } from '../../storage/index.ts'
import { authorAnnotations } from '../api/plan-author.ts'
import { planRequest, planSpecOf } from '../api/plan-spec.ts'
import { planResource } from '../api/plan-type.ts'
import { authorsUse } from '../authors-use.ts'
import type { EngineParts } from '../engine-parts.ts'
import { planSelection } from '../planning/plan-selection.ts'
import { EstateSink } from '../planning/plan-sink.ts'
import { statusWriter } from '../status/status-writer.ts'

/** The result of planning the deferred changes of a plan. */
export type Wave =
  | { readonly kind: 'none' }
  /** Their changes are part of the plan now, including blocked ones. */
  | { readonly kind: 'planned'; readonly changes: number }
  /** They need changes that weren't approved, so a follow-up plan waits for its own approval. */
  | { readonly kind: 'follow-up'; readonly plan: string }

/**
 * Plans the deferred objects of a plan after its other changes are applied. Creations and updates of the objects that were listed as deferred
 * are covered by the plan's approval; anything else goes into a follow-up plan.
 */
export async function planWave(
  parts: EngineParts,
  plan: RunningPlan,
  object: KubernetesObject,
  wave: number,
  signal: AbortSignal,
): Promise<Wave> {
  const deferred = await deferredOf(parts, plan)
  if (deferred.length === 0) return { kind: 'none' }
  const refs = new Map(deferred.map(({ target }) => [refToText(target.ref), target.ref]))
  const draft: RunningPlan = { ...plan, uid: `${plan.uid}~${wave}` }
  const found = await planDraft(parts, draft, object, refs, signal)
  try {
    const work = found.filter(({ record }) => record.action !== 'deferred' && record.action !== 'blocked')
    if (!work.every((change) => isApproved(change, refs))) return await followUp(parts, plan, object, deferred)
    // A blocked record of an object that wasn't deferred must not overwrite the plan's own change.
    const own = found.filter(({ target }) => refs.has(refToText(target.ref)))
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
  { cluster, uid }: RunningPlan,
): Promise<StoredChange<ChangeRecord>[]> {
  const deferred: StoredChange<ChangeRecord>[] = []
  for await (const change of estate.changes<ChangeRecord>(cluster, uid))
    if (change.record.action === 'deferred') deferred.push(change)
  return deferred
}

async function planDraft(
  parts: EngineParts,
  draft: RunningPlan,
  object: KubernetesObject,
  refs: ReadonlyMap<string, ResourceRef>,
  signal: AbortSignal,
): Promise<StoredChange<ChangeRecord>[]> {
  const { estate, reader } = parts
  const sink = new EstateSink(draft, estate, await estate.now(), statusWriter(parts), () =>
    timeToText(parts.clock.now()),
  )
  const spec = { ...planSpecOf(object), scope: 'Changed' } as const
  const selection = await planSelection(parts, draft, spec, 'applying')
  const request: PlanRequest = {
    ...planRequest(spec, draft, { ...selection, targeted: new Set(refs.keys()) }),
    refusesUse: authorsUse(parts, draft.cluster, object),
  }
  async function* seeds(): AsyncGenerator<ResourceRef> {
    yield* refs.values()
  }
  await makePlan(
    reader,
    request,
    { refs: seeds(), isMarked: (refText) => refs.has(refText), isUnsettled: () => true },
    sink,
    signal,
  )
  const found: StoredChange<ChangeRecord>[] = []
  for await (const change of estate.changes<ChangeRecord>(draft.cluster, draft.uid)) found.push(change)
  return found
}

function isApproved({ target, record }: StoredChange<ChangeRecord>, refs: ReadonlyMap<string, ResourceRef>): boolean {
  return ['create', 'update', 'read'].includes(record.action) && refs.has(refToText(target.ref))
}

// Deferred records are deleted last: a server that continues after a crash plans them again and skips what is already applied.
async function adopt(
  { estate }: EngineParts,
  { cluster, uid }: RunningPlan,
  deferred: readonly StoredChange<ChangeRecord>[],
  found: readonly StoredChange<ChangeRecord>[],
): Promise<void> {
  const puts = found.map(({ target, record }) => {
    const key = changeKey({ ...target, cluster, plan: uid })
    return { kind: 'put', key, value: recordToBytes(record) } as const
  })
  const kept = new Set(puts.map(({ key }) => keyText(key)))
  const gone = deferred.filter(({ key }) => !kept.has(keyText(key)))
  const operations: Operation[] = [...puts, ...gone.map(({ key }) => ({ kind: 'delete', key }) as const)]
  for (let from = 0; from < operations.length; from += portion)
    await estate.commit({ operations: operations.slice(from, from + portion) })
}

// Operations per commit.
const portion = 500

function keyText(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1')
}

async function followUp(
  { objects, clock }: EngineParts,
  { cluster, namespace, name, uid }: RunningPlan,
  object: KubernetesObject,
  deferred: readonly StoredChange<ChangeRecord>[],
): Promise<Wave> {
  const spec = {
    ...planSpecOf(object),
    approval: 'Manual',
    targets: [...new Set(deferred.map(({ record }) => objectAddress(record)))],
  }
  // Deterministic, so that a retry after a crash finds the plan that it already created.
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
    status: { phase: 'Pending', message: `the deferred changes of plan ${JSON.stringify(name)}` },
  }
  await objects.change([
    { resource: planResource, place: { cluster, namespace, name: next }, before: undefined, after },
  ])
  return { kind: 'follow-up', plan: next }
}

// Removes the instance key from an address.
function objectAddress({ address }: ChangeRecord): string {
  return address.replace(/(?<=\.[\w-]+|"\])\[[^\]]*\]$/, '')
}
