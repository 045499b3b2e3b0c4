import type { IntentDraft, OutcomeDraft } from '../apply/index.ts'
import { edgeOperations, putState, type Slot } from '../estate/index.ts'
import {
  type ChangeRecord,
  type InstanceKey,
  type InstanceStates,
  type NodePlace,
  nodeFromText,
  type StateRecord,
  wholeObject,
} from '../plan/index.ts'
import type { Operation } from '../storage/index.ts'

/** What an outcome changes in what is known: records, edges, and whether something is left to do. */
export function outcomeOperations(
  { change, step, depose, node: object }: IntentDraft,
  { outcome, record: made }: OutcomeDraft,
  known: InstanceStates | undefined,
  /** Nothing is known of other instances of the object. */
  isAlone: boolean,
): { readonly operations: Operation[]; readonly isLast: boolean; readonly left: LeftToDo } {
  const { node, instance } = change.place
  const operations: Operation[] = []
  const put = (slot: Slot, value: StateRecord | undefined) =>
    void operations.push(putState({ node, instance, slot }, value))
  const slot = slotOf(change.place.part, step, change.record.order, known)
  const left = leftBehind(known, depose)
  const record = withUsed(made, outcome.result === 'applied' ? undefined : known?.current?.record)
  if (record === undefined && step !== 'delete' && left !== undefined) {
    // The new one could not be made: the old one is the current one again.
    put('current', left.record)
    put(`deposed/${left.key}`, undefined)
  } else put(slot, record)
  // Also where none was known: a refresh may have seen something meanwhile.
  if (slot === 'current') put('observed', undefined)
  const isLast = record === undefined && left === undefined && isAlone && isOnly(known, slot)
  const back = record === undefined && step !== 'delete' ? left : undefined
  operations.push(...edges(node, instance, known, after(known, slot, record, back), isLast))
  const isUnsettled = outcome.result !== 'applied' || record?.fingerprint === ''
  // The second half destroys what the first one left behind, unless something that it waits for fails.
  const isHalf = record !== undefined && left !== undefined
  // An object that was left behind is wanted by nothing.
  const rest = isHalf ? 'by-itself' : change.place.part === '' ? wantedBack(object, change.record, step) : 'nothing'
  return { operations, isLast, left: isUnsettled ? 'by-others' : rest }
}

/** Who does what an outcome leaves to do: the next plan that looks at it, or the second half of the same change. */
export type LeftToDo = 'nothing' | 'by-others' | 'by-itself'

// It goes because the plan says so, not because of what is written: the next plan makes it anew. Of a replacement, only if
// the second half of it does not.
function wantedBack(
  object: IntentDraft['node'],
  { action, order, reason }: ChangeRecord,
  step: IntentDraft['step'],
): LeftToDo {
  if (step !== 'delete' || object?.deleting !== false) return 'nothing'
  if (action === 'replace') return order === 'create-first' ? 'nothing' : 'by-itself'
  return (action === 'delete' || action === 'forget') && reason === undefined ? 'by-others' : 'nothing'
}

// The old object of a replacement that creates first was left behind by its first half.
function slotOf(
  part: string,
  step: IntentDraft['step'],
  order: string | undefined,
  known: InstanceStates | undefined,
): Slot {
  if (part !== '') return part as Slot
  const [deposed] = known?.deposed ?? []
  return step === 'delete' && order === 'create-first' && deposed !== undefined ? `deposed/${deposed.key}` : 'current'
}

function leftBehind(known: InstanceStates | undefined, key: string | undefined) {
  return key === undefined ? undefined : known?.deposed.find((each) => each.key === key)
}

// Whether nothing is known of the instance when the record of this slot is gone.
function isOnly(known: InstanceStates | undefined, slot: Slot): boolean {
  const deposed = known?.deposed.filter(({ key }) => slot !== `deposed/${key}`) ?? []
  return deposed.length === 0 && (slot === 'current' || known?.current === undefined)
}

// An instance whose change failed may still use all that it used before.
function withUsed(record: StateRecord | undefined, before: StateRecord | undefined): StateRecord | undefined {
  if (record === undefined || before === undefined) return record
  return { ...record, dependencies: [...new Set([...record.dependencies, ...before.dependencies])] }
}

// The records of an instance after an outcome; `back` is the one that becomes the current one again.
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

// Edges of several instances are the same rows: they are taken away with the last of them.
function edges(
  node: NodePlace,
  instance: InstanceKey,
  known: InstanceStates | undefined,
  records: readonly StateRecord[],
  isLast: boolean,
): Operation[] {
  const of = (all: readonly StateRecord[]) =>
    all
      .flatMap(({ dependencies }) => dependencies)
      .map((text) => ({ target: nodeFromText(node.cluster, text), attribute: wholeObject, dependent: node }))
  const { current, deposed = [] } = known ?? {}
  const before = [...(current === undefined ? [] : [current]), ...deposed].map(({ record }) => record)
  return edgeOperations('applied', isLast || instance === undefined ? of(before) : [], of(records), 'put-all')
}
