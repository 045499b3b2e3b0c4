import { edgeOperations, journalKey, putState, type Slot } from '../../estate/index.ts'
import { type InstanceKey, type InstanceStates, type NodePlace, nodeFromText, wholeObject } from '../../plan/index.ts'
import type { Operation } from '../../storage/index.ts'

/** One instance of an object. */
export interface InstancePlace {
  readonly node: NodePlace
  readonly instance: InstanceKey
}

/**
 * Puts everything that is known of an instance under another name. The commit is refused when any of it has moved, or when a
 * call that changes it has begun.
 */
export function moveRecords(
  states: InstanceStates,
  from: InstancePlace,
  to: InstancePlace,
  /** Of the object that it belongs to from now on, and the address it had. */
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

/** The new object was made from what the old one was; the old one from nothing any more, if all of it moves. */
export function moveEdges(
  states: readonly InstanceStates[],
  from: NodePlace,
  to: NodePlace,
  isAll: boolean,
): Operation[] {
  const records = states.flatMap(({ current, observed, deposed }) => [current, observed, ...deposed])
  const texts = new Set(records.flatMap((known) => known?.record.dependencies ?? []))
  const edges = (dependent: NodePlace) =>
    [...texts].map((text) => ({ target: nodeFromText(to.cluster, text), attribute: wholeObject, dependent }))
  return [...(isAll ? edgeOperations('applied', edges(from), []) : []), ...edgeOperations('applied', [], edges(to))]
}
