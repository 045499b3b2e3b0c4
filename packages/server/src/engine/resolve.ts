import type { KubernetesObject } from '@hykube/machinery/object'
import { conflict, invalid, notFound } from '@hykube/machinery/status'
import { identityType, valueFromJson } from '@hykube/tfplugin/value'
import { closeIntent, edgeOperations, putMark, putState, type StoredIntent, stateRange } from '../estate/index.ts'
import {
  addressOf,
  type ImportedState,
  type Importing,
  type InstanceKey,
  importState,
  managedElsewhere,
  type NodeKind,
  type NodePlace,
  nodeFromText,
  stateToRecord,
  wholeObject,
} from '../plan/index.ts'
import { decodeObject } from '../resource/index.ts'
import type { Operation } from '../storage/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { withStatus } from './object-status.ts'
import { withoutManaged } from './settled-object.ts'
import { unknownStatus } from './tell-unknown.ts'

/** What a person says of a call of which nobody knows what came. */
export interface Resolution {
  /** `Adopt` what exists under an id; `Retry`, because nothing came of it; `Forget` what may exist. */
  readonly decision: 'Adopt' | 'Retry' | 'Forget'
  readonly id?: string
  readonly instance?: InstanceKey
}

/** Decides about an open call as a person says. Gives the object as it is then. */
export async function resolveCall(
  parts: EngineParts,
  node: NodePlace,
  kind: NodeKind,
  { decision, id, instance }: Resolution,
): Promise<KubernetesObject> {
  const name = { group: node.group, resource: node.resource }
  const stored = await parts.estate.intent({ node, instance })
  if (stored === undefined) throw conflict(name, node.name, 'there is no call of which nobody knows what came')
  const { intent } = stored
  if (intent.unknown === undefined)
    throw conflict(
      name,
      node.name,
      `plan ${JSON.stringify(intent.planName)} is changing ${intent.address} just now: wait until it has ended`,
    )
  const operations: Operation[] = [...closeIntent(stored, stored.revision), putMark({ node, kind: 'unsettled' })]
  if (decision === 'Adopt') operations.push(...(await adopted(parts, node, kind, instance, intent.facts, id)))
  const left = await leftOf(parts, stored, decision)
  if (decision === 'Forget' && intent.step !== 'create')
    operations.push(
      putState({ node, instance, slot: 'current' }, undefined),
      putState({ node, instance, slot: 'observed' }, undefined),
    )
  for (;;) {
    const before = await parts.objects.get(node, node)
    if (before === undefined) throw notFound(name, node.name)
    const object = decodeObject(before.bytes)
    const after = resolvedObject(object, left, decision, parts.clock.now())
    const isGone = after.metadata?.deletionTimestamp != null && (after.metadata.finalizers?.length ?? 0) === 0
    const common = { resource: node, place: node, before, beforeObject: object, tag: before.tag }
    const change = isGone ? { ...common, after: undefined, final: after } : { ...common, after }
    const outcome = await parts.objects.change([change], { operations })
    if (outcome.kind === 'committed') return after
    if ((await parts.estate.intent({ node, instance }))?.revision !== stored.revision)
      throw conflict(name, node.name, 'it was resolved meanwhile')
  }
}

/** What there is of an object besides what is being resolved. */
interface Left {
  /** Why nobody knows what came of another instance. */
  readonly unknown: string | undefined
  readonly hasState: boolean
}

async function leftOf({ estate }: EngineParts, stored: StoredIntent, decision: string): Promise<Left> {
  const { node, instance, intent } = stored
  let unknown: string | undefined
  for await (const other of estate.intentsOf(node))
    if (other.instance !== instance && other.intent.unknown !== undefined)
      unknown ??= `${other.intent.address}: ${other.intent.unknown}`
  const own = await estate.state(node, instance)
  const isForgotten = decision === 'Forget' && intent.step !== 'create'
  const forgotten = isForgotten ? [own?.current, own?.observed].filter((each) => each !== undefined).length : 0
  const others = (await estate.count(stateRange(node))) - forgotten
  return { unknown, hasState: decision === 'Adopt' || others > 0 }
}

// An object of which nothing can be outside any more is held by nothing.
function resolvedObject(object: KubernetesObject, left: Left, decision: string, now: number): KubernetesObject {
  if (left.unknown !== undefined) return unknownStatus(object, left.unknown, now)
  const facts = { reason: 'Resolved', message: `resolved by hand: ${decision}; plan again` }
  const conditions = [
    { type: 'Stalled', status: 'False', ...facts },
    { type: 'Ready', status: 'False', ...facts },
  ] as const
  return withStatus(left.hasState ? object : withoutManaged(object), { conditions }, now)
}

async function adopted(
  parts: EngineParts,
  node: NodePlace,
  kind: NodeKind,
  instance: InstanceKey,
  facts: Parameters<typeof stateToRecord>[3],
  id: string | undefined,
): Promise<Operation[]> {
  if (id === undefined || id === '')
    throw invalid({ group: kind.group, kind: kind.kind }, node.name, [
      { reason: 'FieldValueRequired', field: 'id', message: 'Required value: what shall be adopted' },
    ])
  const access = await parts.reader.provider(node, kind, facts.configuration)
  if ('problem' in access) throw conflict({ group: kind.group, resource: kind.resource }, node.name, access.problem)
  const described = {
    address: addressOf({ place: node, kind }, instance),
    provider: kind.provider,
    typeName: kind.type,
    schema: kind.schema,
    capabilities: access.capabilities,
    ...(kind.identity !== undefined && { identitySchema: kind.identity }),
  }
  const found = await importState(described, targetOf(kind, node, id), access.port)
  if (found.kind !== 'imported')
    throw conflict({ group: kind.group, resource: kind.resource }, node.name, problemOf(found))
  const record = stateToRecord((found as ImportedState).state, kind.schema, kind.identity, {
    ...facts,
    fingerprint: '',
  })
  if (await parts.reader.isManagedElsewhere(node, kind, facts.configuration, record))
    throw conflict({ group: kind.group, resource: kind.resource }, node.name, managedElsewhere)
  const edges = facts.dependencies.map((text) => ({
    target: nodeFromText(node.cluster, text),
    attribute: wholeObject,
    dependent: node,
  }))
  return [putState({ node, instance, slot: 'current' }, record), ...edgeOperations('applied', [], edges)]
}

// Where the provider has no ids, candidates are told by their identity, in JSON.
function targetOf(kind: NodeKind, { name }: NodePlace, id: string): Importing {
  if (kind.identity === undefined || !id.startsWith('{')) return { kind: 'id', id }
  try {
    return { kind: 'identity', identity: valueFromJson(id, identityType(kind.identity)) }
  } catch (error) {
    throw invalid({ group: kind.group, kind: kind.kind }, name, [
      { reason: 'FieldValueInvalid', field: 'id', message: `Invalid value: ${(error as Error).message}` },
    ])
  }
}

function problemOf(failure: {
  readonly diagnostics: readonly { readonly summary: string; readonly detail?: string }[]
}): string {
  const [first] = failure.diagnostics
  return first === undefined ? 'the provider could not import it' : `${first.summary} ${first.detail ?? ''}`.trim()
}
