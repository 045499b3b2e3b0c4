import { edgeOperations, journalKey, putState, type Slot } from '../../estate/index.ts'
import { wholeObject } from '../../evaluation/index.ts'
import { type InstanceKey, type InstanceStates, type ResourceRef, refFromText } from '../../model/index.ts'
import type { Operation } from '../../storage/index.ts'

/** One instance of an object. */
export interface InstanceRef {
  readonly ref: ResourceRef
  readonly instance: InstanceKey
}

/**
 * Returns the operations that move the state records of an instance to another object or key. The commit fails when a record changes
 * meanwhile, or when a plan begins a call for the instance.
 */
export function moveRecords(
  states: InstanceStates,
  from: InstanceRef,
  to: InstanceRef,
  /** The uid of the new object, and the old address. */
  { uid, movedFrom }: { readonly uid: string; readonly movedFrom: string },
): Operation[] {
  const { current, observed, deposed } = states
  const slots: [Slot, typeof current][] = [
    ['current', current],
    ['observed', observed],
    ...deposed.map((each): [Slot, typeof current] => [`deposed/${each.key}`, each]),
  ]
  const operations = slots.flatMap(([slot, known]): Operation[] => {
    if (known === undefined) return []
    const { record, revision } = known
    return [
      { ...putState({ ...from, slot }, undefined), expect: revision } as Operation,
      putState({ ...to, slot }, { ...record, uid, movedFrom }),
    ]
  })
  return [...operations, { kind: 'delete', key: journalKey(from), expect: 'absent' }]
}

/** Returns the operations that give the applied dependencies of the old object to the new one, and remove them from the old one if all instances move. */
export function moveEdges(
  states: readonly InstanceStates[],
  from: ResourceRef,
  to: ResourceRef,
  isAll: boolean,
): Operation[] {
  const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
  const texts = new Set(records.flatMap((known) => known?.record.dependencies ?? []))
  const edges = (dependent: ResourceRef) =>
    [...texts].map((text) => ({ target: refFromText(to.cluster, text), attribute: wholeObject, dependent }))
  return [...(isAll ? edgeOperations('applied', edges(from), []) : []), ...edgeOperations('applied', [], edges(to))]
}
