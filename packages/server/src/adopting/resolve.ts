import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict, invalid, notFound } from '@hykube/machinery/status'
import {
  closeIntent,
  edgeOperations,
  putMark,
  putState,
  type StoredIntent,
  stateRange,
  withoutManaged,
  withStatus,
} from '../estate/index.ts'
import { managedElsewhere, wholeObject } from '../evaluation/index.ts'
import {
  addressOf,
  type InstanceKey,
  type ResourceKind,
  type ResourceRef,
  refFromText,
  stateToRecord,
} from '../model/index.ts'
import type { EngineParts } from '../plans/index.ts'
import { unknownStatus } from '../plans/index.ts'
import { decodeObject } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'
import { importResource } from './import-resource.ts'

/** A user's decision about a provider call with an unknown outcome. */
export interface Resolution {
  /** `Adopt` the resource with this id; `Retry`, because the call had no effect; `Forget` whatever the call created. */
  readonly decision: 'Adopt' | 'Retry' | 'Forget'
  readonly id?: string
  readonly instance?: InstanceKey
}

/** Carries out a user's decision about a call with an unknown outcome. Returns the object after it. */
export async function resolveCall(
  parts: EngineParts,
  ref: ResourceRef,
  kind: ResourceKind,
  { decision, id, instance }: Resolution,
): Promise<KubernetesObject> {
  const name = { group: ref.group, resource: ref.resource }
  const stored = await parts.estate.intent({ ref, instance })
  if (stored === undefined) throw conflict(name, ref.name, 'there is no call with an unknown outcome')
  const { intent } = stored
  if (intent.unknown === undefined)
    throw conflict(
      name,
      ref.name,
      `plan ${JSON.stringify(intent.planName)} is changing ${intent.address}: wait until it has finished`,
    )
  const operations: Operation[] = [...closeIntent(stored, stored.revision), putMark({ ref, kind: 'unsettled' })]
  if (decision === 'Adopt') operations.push(...(await adopted(parts, ref, kind, instance, intent.facts, id)))
  const remaining = await remainingOf(parts, stored, decision)
  if (decision === 'Forget' && intent.step !== 'create')
    operations.push(
      putState({ ref, instance, slot: 'current' }, undefined),
      putState({ ref, instance, slot: 'observed' }, undefined),
    )
  for (;;) {
    const before = await parts.objects.get(ref, ref)
    if (before === undefined) throw notFound(name, ref.name)
    const object = decodeObject(before.bytes)
    const after = resolvedObject(object, remaining, decision, parts.clock.now())
    const isGone = after.metadata?.deletionTimestamp != null && (after.metadata.finalizers?.length ?? 0) === 0
    const common = { resource: ref, place: ref, before, beforeObject: object, tag: before.tag }
    const change = isGone ? { ...common, after: undefined, final: after } : { ...common, after }
    const outcome = await parts.objects.change([change], { operations })
    if (outcome.kind === 'committed') return after
    if ((await parts.estate.intent({ ref, instance }))?.revision !== stored.revision)
      throw conflict(name, ref.name, 'another request resolved it')
  }
}

/** The state of an object apart from the call that is being resolved. */
interface Remaining {
  /** Why the outcome of a call for another instance is unknown; undefined when there is none. */
  readonly unknown: string | undefined
  readonly hasState: boolean
}

async function remainingOf({ estate }: EngineParts, stored: StoredIntent, decision: string): Promise<Remaining> {
  const { ref, instance, intent } = stored
  let unknown: string | undefined
  for await (const other of estate.intentsOf(ref))
    if (other.instance !== instance && other.intent.unknown !== undefined)
      unknown ??= `${other.intent.address}: ${other.intent.unknown}`
  const own = await estate.state(ref, instance)
  const isForgotten = decision === 'Forget' && intent.step !== 'create'
  const deleteStates = isForgotten ? [own?.current, own?.observed].filter((each) => each !== undefined).length : 0
  const others = (await estate.count(stateRange(ref))) - deleteStates
  return { unknown, hasState: decision === 'Adopt' || others > 0 }
}

// Removes the finalizer from an object that can't manage a real resource any more.
function resolvedObject(
  object: KubernetesObject,
  remaining: Remaining,
  decision: string,
  now: number,
): KubernetesObject {
  if (remaining.unknown !== undefined) return unknownStatus(object, remaining.unknown, now)
  const facts = { reason: 'Resolved', message: `resolved by hand: ${decision}; plan again` }
  const conditions = [
    { type: 'Stalled', status: 'False', ...facts },
    { type: 'Ready', status: 'False', ...facts },
  ] as const
  return withStatus(remaining.hasState ? object : withoutManaged(object), { conditions }, now)
}

async function adopted(
  parts: EngineParts,
  ref: ResourceRef,
  kind: ResourceKind,
  instance: InstanceKey,
  facts: Parameters<typeof stateToRecord>[3],
  id: string | undefined,
): Promise<Operation[]> {
  if (id === undefined || id === '')
    throw invalid({ group: kind.group, kind: kind.kind }, ref.name, [
      { reason: 'FieldValueRequired', field: 'id', message: 'Required value: the id of the resource to adopt' },
    ])
  const access = await parts.reader.provider(ref, kind, facts.configuration)
  if ('problem' in access) throw conflict({ group: kind.group, resource: kind.resource }, ref.name, access.problem)
  const described = {
    address: addressOf({ ref, kind }, instance),
    provider: kind.provider,
    typeName: kind.type,
    schema: kind.schema,
    capabilities: access.capabilities,
    ...(kind.identity !== undefined && { identitySchema: kind.identity }),
  }
  const state = await importResource(kind, ref, described, id, access.port)
  const record = stateToRecord(state, kind.schema, kind.identity, {
    ...facts,
    fingerprint: '',
  })
  if (await parts.reader.isManagedElsewhere(ref, kind, facts.configuration, record))
    throw conflict({ group: kind.group, resource: kind.resource }, ref.name, managedElsewhere)
  const edges = facts.dependencies.map((text) => ({
    target: refFromText(ref.cluster, text),
    attribute: wholeObject,
    dependent: ref,
  }))
  return [putState({ ref, instance, slot: 'current' }, record), ...edgeOperations('applied', [], edges)]
}
