import { wholeObject } from '../evaluation/index.ts'
import type { IntentDraft, OutcomeDraft } from '../model/index.ts'
import {
  type ChangeRecord,
  deposedKeyOf,
  type InstanceStates,
  type ResourceRef,
  refFromText,
  type StateRecord,
} from '../model/index.ts'
import type { Operation } from '../storage/index.ts'
import { edgeOperations } from './records/edges.ts'
import { putState, type Slot } from './records/state.ts'

/** Returns the operations that store an outcome: state records and edges, and the work that remains for the object. */
export function outcomeOperations(
  { change, step, depose, object }: IntentDraft,
  { outcome, record: made }: OutcomeDraft,
  known: InstanceStates | undefined,
  /** True when the object's other instances have no state records. */
  isAlone: boolean,
): { readonly operations: Operation[]; readonly isLast: boolean; readonly left: RemainingWork } {
  const { ref, instance } = change.target
  const operations: Operation[] = []
  const put = (slot: Slot, value: StateRecord | undefined) =>
    void operations.push(putState({ ref, instance, slot }, value))
  const slot = slotOf(change, step)
  const left = deposedState(known, depose)
  const record = withOldDependencies(made, outcome.result === 'applied' ? undefined : known?.current?.record)
  if (record === undefined && step !== 'delete' && left !== undefined) {
    // The creation failed: the deposed resource becomes the current one again.
    put('current', left.record)
    put(`deposed/${left.key}`, undefined)
  } else put(slot, record)
  // Deleted even if none was known, because a concurrent refresh may have stored one.
  if (slot === 'current') put('observed', undefined)
  const isLast = record === undefined && left === undefined && isAlone && isOnly(known, slot)
  const back = record === undefined && step !== 'delete' ? left : undefined
  const isOnlyInstance = isLast || (instance === undefined && isAlone)
  operations.push(...edges(ref, known, after(known, slot, record, back), isOnlyInstance))
  const isUnsettled = outcome.result !== 'applied' || record?.fingerprint === ''
  // The second half of the replacement destroys the deposed resource, unless a step that it waits for fails.
  const isHalf = record !== undefined && left !== undefined
  // The spec doesn't describe a deposed resource.
  const rest = isHalf ? 'same-change' : change.target.part === '' ? recreation(object, change.record, step) : 'none'
  return { operations, isLast, left: isUnsettled ? 'next-plan' : rest }
}

/** The work that an outcome leaves: for the next plan, or for the second half of the same change. */
export type RemainingWork = 'none' | 'next-plan' | 'same-change'

// A destruction that the spec didn't ask for: the next plan would create the resource again. For a replacement that is the job of its
// second half.
function recreation(
  object: IntentDraft['object'],
  { action, order, reason }: ChangeRecord,
  step: IntentDraft['step'],
): RemainingWork {
  if (step !== 'delete' || object?.deleting !== false) return 'none'
  if (action === 'replace') return order === 'create-first' ? 'none' : 'same-change'
  return (action === 'delete' || action === 'forget') && reason === undefined ? 'next-plan' : 'none'
}

// The first half of a create-first replacement moved the old resource to a deposed slot.
function slotOf({ target, record }: IntentDraft['change'], step: IntentDraft['step']): Slot {
  if (target.part !== '') return target.part as Slot
  const deposed = step === 'delete' ? deposedKeyOf(record) : undefined
  return deposed === undefined ? 'current' : `deposed/${deposed}`
}

function deposedState(known: InstanceStates | undefined, key: string | undefined) {
  return key === undefined ? undefined : known?.deposed.find((each) => each.key === key)
}

// True when an instance has no state records besides this slot.
function isOnly(known: InstanceStates | undefined, slot: Slot): boolean {
  const deposed = known?.deposed.filter(({ key }) => slot !== `deposed/${key}`) ?? []
  return deposed.length === 0 && (slot === 'current' || known?.current === undefined)
}

// After a failed change the resource may still use its old dependencies, so both sets are kept.
function withOldDependencies(
  record: StateRecord | undefined,
  before: StateRecord | undefined,
): StateRecord | undefined {
  if (record === undefined || before === undefined) return record
  return { ...record, dependencies: [...new Set([...record.dependencies, ...before.dependencies])] }
}

// Returns the records of an instance after an outcome; `back` is the deposed one that becomes current again.
function after(
  known: InstanceStates | undefined,
  slot: Slot,
  record: StateRecord | undefined,
  back: InstanceStates['deposed'][number] | undefined,
): readonly StateRecord[] {
  const kept = known?.deposed.filter((each) => each !== back && slot !== `deposed/${each.key}`) ?? []
  const current = back?.record ?? (slot === 'current' ? record : known?.current?.record)
  const rest = [...kept.map((each) => each.record), ...(slot === 'current' || record === undefined ? [] : [record])]
  return current === undefined ? rest : [current, ...rest]
}

// Instances of an object share their edges, so edges are deleted only when no other instance remains, not even one that the
// object no longer has and that is still to be destroyed.
function edges(
  ref: ResourceRef,
  known: InstanceStates | undefined,
  records: readonly StateRecord[],
  isOnlyInstance: boolean,
): Operation[] {
  const of = (all: readonly StateRecord[]) =>
    all
      .flatMap(({ dependencies }) => dependencies)
      .map((text) => ({ target: refFromText(ref.cluster, text), attribute: wholeObject, dependent: ref }))
  const { current, deposed = [] } = known ?? {}
  const before = [...(current === undefined ? [] : [current]), ...deposed].map(({ record }) => record)
  return edgeOperations('applied', isOnlyInstance ? of(before) : [], of(records), 'put-all')
}
