import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { hasCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { Estate } from '../../estate/index.ts'
import {
  type ConditionFacts,
  knownAttributes,
  type ResourceStatus,
  type StatusChange,
  shownAttributes,
  withStatus,
} from '../../estate/index.ts'
import { isDrifted, type ResourceKind, type ResourceRef } from '../../model/index.ts'
import { countInstances } from '../count-instances.ts'
import type { EngineParts } from '../engine-parts.ts'
import { driftOfBatch } from './write-drift.ts'

/** A generation of an object that needs no change. */
export interface SettledObject {
  readonly ref: ResourceRef
  readonly kind: ResourceKind
  readonly uid: string
  readonly generation: number
  /** The number of its instances; undefined for an object without `count` and `for_each`. */
  readonly size: number | undefined
}

/**
 * Sets an object Ready and Applied, even if an earlier apply failed. Writes only when the status differs, and skips an object that was edited
 * or deleted meanwhile.
 */
export async function writeSettledStatus(
  { objects, estate, clock }: EngineParts,
  settled: SettledObject,
): Promise<void> {
  await objects.update(settled.ref, settled.ref, async (object) => {
    const { uid, generation, deletionTimestamp } = object.metadata ?? {}
    if (uid !== settled.uid || generation !== settled.generation || deletionTimestamp != null) return undefined
    if (isStatusSettled(object, settled.size)) return undefined
    const after = withStatus(object, await settledStatus(estate, settled, object), clock.now())
    return jsonEquals(after.status as JsonValue, (object.status ?? null) as JsonValue) ? undefined : after
  })
}

/** True when the status already says that this generation needs no change. */
export function isStatusSettled(object: KubernetesObject, size: number | undefined): boolean {
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
  { ref, kind, generation, size }: SettledObject,
  object: KubernetesObject,
): Promise<StatusChange> {
  const { attributes, conditions } = (object.status ?? {}) as ResourceStatus
  const known = size === undefined ? await estate.state(ref, undefined) : undefined
  const record = known?.current?.record
  const fromRecord = () =>
    record === undefined ? undefined : shownAttributes(knownAttributes(kind, record), record, object)
  const isDriftKnown = hasCondition(conditions, 'Drifted') && (known === undefined || !isDrifted(known))
  return {
    observedGeneration: generation,
    instances: size === undefined ? undefined : { total: size, ready: size },
    attributes: size === undefined ? (attributes ?? fromRecord()) : undefined,
    conditions: [...settledConditions(kind, size), ...(isDriftKnown ? [await driftNow(estate, ref, size)] : [])],
  }
}

function settledConditions({ data }: ResourceKind, size: number | undefined): ConditionFacts[] {
  const reason = data ? 'Read' : 'Applied'
  const count = size === undefined ? undefined : `${size} of ${size} instances are ready`
  return [
    { type: 'Ready', status: 'True', reason, message: count ?? 'the last apply succeeded' },
    { type: 'Applied', status: 'True', reason, message: count ?? 'this generation was applied' },
    { type: 'Stalled', status: 'False', reason, message: '' },
  ]
}

async function driftNow(estate: Estate, ref: ResourceRef, size: number | undefined): Promise<ConditionFacts> {
  return driftOfBatch(size === undefined ? 0 : (await countInstances(estate, ref)).drifted, size ?? 1)
}
