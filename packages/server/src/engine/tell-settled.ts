import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { hasCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { Estate } from '../estate/index.ts'
import type { NodeKind, NodePlace } from '../plan/index.ts'
import { countInstances } from './count-instances.ts'
import type { EngineParts } from './engine-parts.ts'
import { knownAttributes } from './known-attributes.ts'
import { type ConditionFacts, type ResourceStatus, type StatusChange, withStatus } from './object-status.ts'
import { shownAttributes } from './settled-object.ts'
import { driftOfBatch } from './tell-drift.ts'

/** A generation of an object for which nothing is left to do. */
export interface SettledNode {
  readonly place: NodePlace
  readonly kind: NodeKind
  readonly uid: string
  readonly generation: number
  /** The number of its instances; undefined for an object without `count` and `for_each`. */
  readonly size: number | undefined
}

/**
 * Sets an object Ready and Applied, whatever failed before. It writes only where the status says something else, and leaves an
 * object alone that was edited or deleted meanwhile.
 */
export async function tellSettled({ objects, estate, clock }: EngineParts, node: SettledNode): Promise<void> {
  await objects.update(node.place, node.place, async (object) => {
    const { uid, generation, deletionTimestamp } = object.metadata ?? {}
    if (uid !== node.uid || generation !== node.generation || deletionTimestamp != null) return undefined
    if (saysSettled(object, node.size)) return undefined
    const after = withStatus(object, await settledStatus(estate, node, object), clock.now())
    return jsonEquals(after.status as JsonValue, (object.status ?? null) as JsonValue) ? undefined : after
  })
}

/** Whether the status of an object already says that nothing is left to do for this generation. */
export function saysSettled(object: KubernetesObject, size: number | undefined): boolean {
  const { conditions, observedGeneration, instances, attributes } = (object.status ?? {}) as ResourceStatus
  return (
    observedGeneration === object.metadata?.generation &&
    hasCondition(conditions, 'Ready') &&
    hasCondition(conditions, 'Applied') &&
    !hasCondition(conditions, 'Stalled') &&
    !hasCondition(conditions, 'Drifted') &&
    instances?.total === size &&
    instances?.ready === size &&
    (attributes === undefined) === (size !== undefined)
  )
}

async function settledStatus(
  estate: Estate,
  { place, kind, generation, size }: SettledNode,
  object: KubernetesObject,
): Promise<StatusChange> {
  const { attributes, conditions } = (object.status ?? {}) as ResourceStatus
  const known = size === undefined ? await estate.state(place, undefined) : undefined
  const record = known?.current?.record
  const fromRecord = () =>
    record === undefined ? undefined : shownAttributes(knownAttributes(kind, record), record, object)
  const isDriftKnown = hasCondition(conditions, 'Drifted') && known?.observed === undefined
  return {
    observedGeneration: generation,
    instances: size === undefined ? undefined : { total: size, ready: size },
    attributes: size === undefined ? (attributes ?? fromRecord()) : undefined,
    conditions: [...settledConditions(kind, size), ...(isDriftKnown ? [await driftNow(estate, place, size)] : [])],
  }
}

function settledConditions({ data }: NodeKind, size: number | undefined): ConditionFacts[] {
  const reason = data ? 'Read' : 'Applied'
  const count = size === undefined ? undefined : `${size} of ${size} instances are ready`
  return [
    { type: 'Ready', status: 'True', reason, message: count ?? 'it is what was last applied' },
    { type: 'Applied', status: 'True', reason, message: count ?? 'this generation was applied' },
    { type: 'Stalled', status: 'False', reason, message: '' },
  ]
}

async function driftNow(estate: Estate, place: NodePlace, size: number | undefined): Promise<ConditionFacts> {
  return driftOfBatch(size === undefined ? 0 : (await countInstances(estate, place)).drifted, size ?? 1)
}
