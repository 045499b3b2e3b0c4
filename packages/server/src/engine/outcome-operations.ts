import type { IntentDraft, OutcomeDraft } from '../apply/index.ts'
import { edgeOperations, putMark, putState, type Slot } from '../estate/index.ts'
import {
  type ChangeRecord,
  type InstanceStates,
  type NodePlace,
  nodeFromText,
  type StateRecord,
  wholeObject,
} from '../plan/index.ts'
import type { Operation } from '../storage/index.ts'

/** What an outcome changes in what is known: records, edges and the mark that outputs changed. */
export function outcomeOperations(
  { change, step, depose, node: object }: IntentDraft,
  { outcome, record, changed }: OutcomeDraft,
  known: InstanceStates | undefined,
  all: readonly InstanceStates[],
): { readonly operations: Operation[]; readonly isLast: boolean } {
  const { node, instance, part } = change.place
  const operations: Operation[] = []
  const put = (slot: Slot, value: StateRecord | undefined) =>
    void operations.push(putState({ node, instance, slot }, value))
  const slot = slotOf(change.place.part, step, change.record.order, known)
  const left = leftBehind(known, depose)
  if (record === undefined && step !== 'delete' && left !== undefined) {
    // The new one could not be made: the old one is the current one again.
    put('current', left.record)
    put(`deposed/${left.key}`, undefined)
  } else put(slot, record)
  if (slot === 'current' && known?.observed !== undefined) put('observed', undefined)
  const isLast = record === undefined && left === undefined && isOnly(all, known, slot)
  operations.push(...edges(node, known, record, isLast, instance === undefined && part === ''))
  if (changed.length > 0 && !change.record.data)
    operations.push(putMark({ node, kind: 'outputs', attributes: changed }))
  if (outcome.result !== 'applied' || record?.fingerprint === '' || isWantedBack(object, change.record, step))
    operations.push(putMark({ node, kind: 'unsettled' }))
  return { operations, isLast }
}

// It goes because the plan says so, not because of what is written: the next plan makes it anew.
function isWantedBack(object: IntentDraft['node'], { action, order, reason }: ChangeRecord, step: IntentDraft['step']) {
  if (step !== 'delete' || object?.deleting !== false) return false
  // The new half of a replacement may never come about.
  if (action === 'replace') return order !== 'create-first'
  return (action === 'delete' || action === 'forget') && reason === undefined
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

// Whether nothing is known of the object when the record of this slot is gone.
function isOnly(all: readonly InstanceStates[], known: InstanceStates | undefined, slot: Slot): boolean {
  if (all.some((each) => each !== known && hasRecords(each))) return false
  const deposed = known?.deposed.filter(({ key }) => slot !== `deposed/${key}`) ?? []
  return deposed.length === 0 && (slot === 'current' || known?.current === undefined)
}

function hasRecords({ current, observed, deposed }: InstanceStates): boolean {
  return current !== undefined || observed !== undefined || deposed.length > 0
}

// Edges of several instances are the same rows: they are taken away with the last of them.
function edges(
  node: NodePlace,
  known: InstanceStates | undefined,
  record: StateRecord | undefined,
  isLast: boolean,
  isSingle: boolean,
): Operation[] {
  const of = (state: StateRecord | undefined) =>
    (state?.dependencies ?? []).map((text) => ({
      target: nodeFromText(node.cluster, text),
      attribute: wholeObject,
      dependent: node,
    }))
  const before = isLast || isSingle ? of(known?.current?.record ?? known?.deposed[0]?.record) : []
  if (record === undefined && !isLast) return []
  return edgeOperations('applied', before, of(record), 'put-all')
}
