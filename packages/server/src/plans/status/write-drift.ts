import type { KubernetesObject } from '@hykube/machinery/object'
import { type ConditionFacts, withStatus } from '../../estate/index.ts'
import { changedAttributes, outputOfRecord } from '../../evaluation/index.ts'
import { type InstanceStates, isDrifted, isGone, type ResourceKind, type ResourceRef } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'

/** A written condition Drifted. */
export interface WrittenDrift {
  readonly ref: ResourceRef
  readonly object: KubernetesObject
  readonly condition: ConditionFacts
}

/**
 * Writes the condition Drifted after a refresh. A refresh changes neither resources nor specs, so it needs no approval. Writes, and returns
 * the condition, only when it changes.
 */
export async function writeDriftStatus(
  { objects, estate, kinds, clock }: EngineParts,
  ref: ResourceRef,
): Promise<WrittenDrift | undefined> {
  const kind = kinds.at(ref.cluster, ref.group, ref.resource)
  if (kind === undefined || kind.data) return undefined
  let condition: ConditionFacts | undefined
  const changed = await objects.update(ref, ref, async (object) => {
    condition = undefined
    const states = await estate.states(ref)
    const [uid] = states.flatMap(({ current }) => current?.record.uid ?? [])
    if (uid !== object.metadata?.uid) return undefined
    const before = (object.status as { conditions?: readonly ConditionFacts[] } | undefined)?.conditions
    const facts = driftCondition(kind, states)
    const known = before?.find(({ type }) => type === facts.type)
    if (known?.status === facts.status && known.message === facts.message) return undefined
    // An object that never drifted gets no condition.
    if (known?.status !== 'True' && facts.status === 'False') return undefined
    condition = facts
    return withStatus(object, { conditions: [facts] }, clock.now())
  })
  return changed === undefined || condition === undefined ? undefined : { ref, object: changed, condition }
}

/** Returns whether the observed states differ from the applied ones, and in which attributes. */
function driftCondition(kind: ResourceKind, states: readonly InstanceStates[]): ConditionFacts {
  const drifted = states.filter(isDrifted)
  const [first] = drifted
  const isBatch = states.some(({ instance }) => instance !== undefined)
  if (isBatch || first === undefined) return driftOfBatch(drifted.length, states.length)
  return { type: 'Drifted', status: 'True', reason: 'ChangedOutside', message: where(kind, first) }
}

/** Returns the condition for a number of drifted instances. */
export function driftOfBatch(drifted: number, total: number): ConditionFacts {
  if (drifted === 0) return { type: 'Drifted', status: 'False', reason: 'AsApplied', message: '' }
  const message = `${drifted} of ${total} instances differ from what was applied`
  return { type: 'Drifted', status: 'True', reason: 'ChangedOutside', message }
}

// Names only, because values may be sensitive.
function where({ schema }: ResourceKind, { current, observed }: InstanceStates): string {
  if (isGone(observed!.record)) return 'it no longer exists'
  if (observed!.record.drift !== undefined) return `changed outside: ${observed!.record.drift.join(', ')}`
  const [before, after] = [current!, observed!].map(({ record }) => outputOfRecord(schema, record).value)
  const names = changedAttributes(schema, before, after!)
  return `changed outside: ${names.join(', ')}`
}
