import { Mutex } from '@hykube/machinery/base'
import { type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import type { ChangeOutcome } from '@hykube/machinery/plan-api'
import type {
  BegunIntent,
  ChangeInProgress,
  IntentCall,
  IntentDraft,
  OutcomeDraft,
  Refusal,
  SentRequest,
} from '../model/index.ts'
import {
  type ChangeRecord,
  type InstanceStates,
  openCallText,
  type ProcessFacts,
  type ResourceRef,
  refToText,
} from '../model/index.ts'
import { managedFinalizer } from '../provider/index.ts'
import type { ObjectStore, SeenObject } from '../resource/index.ts'
import type { Key, Operation } from '../storage/index.ts'
import { BatchClaims } from './batch-claims.ts'
import type { Estate } from './estate.ts'
import { noteSource, type ObjectSource, sourceFrom, sourceOf } from './object-source.ts'
import { outcomeOperations, type RemainingWork } from './outcome-operations.ts'
import { changeKey } from './records/changes.ts'
import { edgeRange } from './records/edges.ts'
import { closeIntent, type Intent, type IntentRequest, journalKey, openIntent } from './records/journal.ts'
import { putMark } from './records/marks.ts'
import { putOutcome, putWholeChange } from './records/outcomes.ts'
import { recordToBytes } from './records/record-codec.ts'
import { putState, type StateRef, stateKey, stateRange } from './records/state.ts'
import { settledObject } from './settled-object.ts'

/** The plan that is being applied. */
export interface RunningPlan {
  readonly cluster: string
  readonly uid: string
  readonly name: string
  readonly namespace: string
}

/** Implements the ledger of applying: stores each intent and each outcome of one plan in one commit with everything that follows from it. */
export class EstateLedger {
  readonly #plan: RunningPlan
  readonly #objects: ObjectStore
  readonly #estate: Estate
  readonly #now: () => number
  readonly #longestCall: number
  readonly #batches: BatchClaims
  /** Serializes outcomes of an object, because whether an outcome is the last one depends on the others. */
  readonly #turns = new Map<string, { readonly mutex: Mutex; waiting: number }>()

  constructor(plan: RunningPlan, objects: ObjectStore, estate: Estate, now: () => number, longestCall: number) {
    this.#plan = plan
    this.#objects = objects
    this.#estate = estate
    this.#now = now
    this.#batches = new BatchClaims(estate, plan.uid)
    this.#longestCall = longestCall
  }

  async begin(draft: IntentDraft): Promise<BegunIntent | Refusal> {
    const operations = this.#intentOperations(draft)
    const { ref, instance } = draft.change.target
    if (instance !== undefined) await this.#batches.claim(ref, draft.change.record.work?.batch)
    let source = draft.object === undefined ? undefined : (sourceOf(draft.object) ?? (await this.#source(ref)))
    for (;;) {
      const changed = changedSince(draft, source)
      if (changed !== undefined) return refused(changed)
      const changes = source === undefined ? [] : managingChange(ref, draft, source)
      if (changes.length === 0 && operations.length === 0) return { kind: 'begun', draft }
      const seen = source === undefined || changes.length > 0 ? [] : [source.stored]
      const unmoved = [...seenStates(draft), ...seen]
      const outcome = await this.#objects.change(changes, { operations, unmoved })
      if (outcome.kind === 'committed') {
        const [stored] = outcome.objects
        if (stored !== undefined) noteSource(draft.object!, { stored, object: changes[0]!.after })
        return { kind: 'begun', draft }
      }
      const obstacle = await this.#obstacle(draft)
      if (obstacle !== undefined) return refused(obstacle)
      source = draft.object === undefined ? undefined : await this.#source(ref)
      if (source !== undefined && changedSince(draft, source) === undefined) noteSource(draft.object!, source)
    }
  }

  // Outcomes of one object are serialized, except creations and updates of instances: these can't be the last outcome of an object, and
  // many run concurrently.
  end({ draft }: BegunIntent, outcome: OutcomeDraft): Promise<void> {
    const { target } = draft.change
    const isMade = outcome.record !== undefined && draft.depose === undefined
    if (target.instance !== undefined && isMade) return this.#end(draft, outcome)
    return this.#alone(target.ref, () => this.#end(draft, outcome))
  }

  async retry({ draft }: BegunIntent, process: ProcessFacts): Promise<void> {
    const open = await this.#estate.intent(draft.change.target)
    if (open === undefined) throw new Error(`the outcome of ${draft.change.record.address} was already decided`)
    const { unknown: _, waits: __, ...intent } = open.intent
    const value = recordToBytes({ ...intent, process, deadline: this.#now() + this.#longestCall })
    const outcome = await this.#estate.commit({
      operations: [{ kind: 'put', key: open.key, value, expect: open.revision }],
    })
    if (outcome.kind === 'refused') throw new Error(`${draft.change.record.address} is being decided by another server`)
  }

  async recordOutcome({ target, record }: ChangeInProgress, outcome: ChangeOutcome): Promise<void> {
    const operations = putWholeChange(this.#changeKey(target), { ...record, outcome })
    // A change is refused because of another plan or edit, which leaves a mark of its own.
    if (outcome.result !== 'refused') operations.push(putMark({ ref: target.ref, kind: 'unsettled' }))
    await this.#estate.commit({ operations })
  }

  async #end(draft: IntentDraft, outcome: OutcomeDraft): Promise<void> {
    const { target, record } = draft.change
    const known = await this.#knownNow(draft)
    const mayBeAlone = outcome.record === undefined || target.instance === undefined
    const others = mayBeAlone ? await this.#othersOf(target.ref, known) : 1
    const { operations, isLast, left } = outcomeOperations(draft, outcome, known, others === 0)
    const all = [
      ...operations,
      ...(await this.#outputsMark(draft, outcome)),
      ...closing(draft),
      ...this.#progressOperations(target, record, progressOf(record, draft, outcome)),
    ]
    let source = draft.object === undefined ? undefined : sourceOf(draft.object)
    for (;;) {
      // The status of a batch is written once for all instances, at the end of the plan.
      if (target.instance === undefined || isLast) source ??= await this.#source(target.ref)
      else source = undefined
      const changes = source === undefined ? [] : settledObject(target, source, draft, outcome, isLast, this.#now())
      const marks = await this.#leftMark(target.ref, left)
      const result = await this.#objects.change(changes, { operations: [...all, ...marks] })
      if (result.kind === 'committed') return
      source = undefined
    }
  }

  // Returns the states of an instance after its intent. No other plan changes them while the intent is open, and the outcome removes
  // whatever a concurrent refresh observed.
  async #knownNow({ change: { target }, states, depose, call }: IntentDraft): Promise<InstanceStates | undefined> {
    if (call === undefined) return this.#estate.state(target.ref, target.instance)
    if (depose === undefined || states?.current === undefined) return states
    const { current, ...rest } = states
    return { ...rest, deposed: [...rest.deposed, { key: depose, ...current }] }
  }

  // Counts the state records of an object's other instances.
  async #othersOf(ref: ResourceRef, known: InstanceStates | undefined): Promise<number> {
    const own = known === undefined ? 0 : Number(known.current !== undefined) + Number(known.observed !== undefined)
    return (await this.#estate.count(stateRange(ref))) - own - (known?.deposed.length ?? 0)
  }

  // Work for the second half of the same change gets a mark of this plan, which ends with the plan, unless another plan has left a mark. The
  // mark is written again each time, so that a plan which read the old one doesn't remove it.
  async #leftMark(ref: ResourceRef, left: RemainingWork): Promise<Operation[]> {
    if (left === 'none') return []
    if (left === 'next-plan') return [putMark({ ref, kind: 'unsettled' })]
    const known = await this.#estate.mark(ref, 'unsettled')
    const isOwn = known === undefined || known.by === this.#plan.uid
    const mark = putMark({ ref, kind: 'unsettled', ...(isOwn && { by: this.#plan.uid }) })
    return [{ ...mark, expect: known?.revision ?? 'absent' }]
  }

  // One mark stands for all dependents; the next plan finds them through edges. Most objects have no dependents.
  async #outputsMark({ change }: IntentDraft, { changed }: OutcomeDraft): Promise<Operation[]> {
    const { ref } = change.target
    const attributes = (await this.#estate.count(edgeRange('desired', ref))) === 0 ? [] : changed()
    if (attributes.length === 0) return []
    const before = (await this.#estate.mark(ref, 'outputs'))?.attributes ?? []
    return [putMark({ ref, kind: 'outputs', attributes: [...new Set([...before, ...attributes])] })]
  }

  #intentOperations(draft: IntentDraft): Operation[] {
    const { target } = draft.change
    const { call } = draft
    const operations: Operation[] = []
    if (call !== undefined)
      operations.push(...openIntent(target, this.#intent(draft, call), call.request && requestText(call.request)))
    const { current } = draft.states ?? {}
    if (draft.depose !== undefined && current !== undefined) {
      const { ref, instance } = target
      operations.push(putState({ ref, instance, slot: `deposed/${draft.depose}` }, current.record))
      operations.push(putState({ ref, instance, slot: 'current' }, undefined))
    }
    return operations
  }

  #intent({ change, step, depose }: IntentDraft, { process, repeatable, facts }: IntentCall): Intent {
    return {
      plan: this.#plan.uid,
      planName: this.#plan.name,
      planNamespace: this.#plan.namespace,
      step: change.target.part === '' ? step : 'delete-deposed',
      part: change.target.part,
      address: change.record.address,
      type: change.record.type,
      uid: change.record.work!.uid,
      process,
      deadline: this.#now() + this.#longestCall,
      repeatable,
      facts,
      ...(depose !== undefined && { depose }),
    }
  }

  // A plain success is stored beside the change. Anything with a message goes into the change record, which is encrypted.
  #progressOperations(target: ChangeInProgress['target'], record: ChangeRecord, progress: ChangeProgress): Operation[] {
    const key = this.#changeKey(target)
    return isPlain(progress) ? [putOutcome(key, progress)] : putWholeChange(key, { ...record, ...progress })
  }

  #changeKey(target: ChangeInProgress['target']): Key {
    const { cluster, uid } = this.#plan
    return changeKey({ cluster, plan: uid, ...target })
  }

  // Returns why the commit of an intent failed; undefined when only labels or status of the object changed, so it can be retried.
  async #obstacle({ change, states }: IntentDraft): Promise<string | undefined> {
    const open = await this.#estate.intent(change.target)
    if (open !== undefined) {
      const { planName, planNamespace } = open.intent
      const plan = `${JSON.stringify(planName)} in namespace ${JSON.stringify(planNamespace)}`
      return openCallText(plan, change.record.address, change.target.ref.namespace)
    }
    const now = await this.#estate.state(change.target.ref, change.target.instance)
    const same =
      now?.current?.revision === states?.current?.revision && now?.observed?.revision === states?.observed?.revision
    return same ? undefined : 'its state has changed since the plan was made: make a new plan'
  }

  async #source(ref: ResourceRef): Promise<ObjectSource | undefined> {
    const stored = await this.#objects.get(ref, ref)
    return stored === undefined ? undefined : sourceFrom(stored)
  }

  async #alone(ref: ResourceRef, work: () => Promise<void>): Promise<void> {
    const text = refToText(ref)
    const turns = this.#turns.get(text) ?? { mutex: new Mutex(), waiting: 0 }
    this.#turns.set(text, turns)
    turns.waiting++
    try {
      await turns.mutex.run(work)
    } finally {
      if (--turns.waiting === 0) this.#turns.delete(text)
    }
  }
}

// The stored request is deleted with the intent, unless this call is known to have none.
function closing({ change: { target }, call }: IntentDraft): Operation[] {
  const hasNoRequest = call !== undefined && call.request === undefined
  return hasNoRequest ? [{ kind: 'delete', key: journalKey(target) }] : closeIntent(target)
}

function requestText({ prior, planned, plannedPrivate, plannedIdentity }: SentRequest): IntentRequest {
  const base64 = (value: Uint8Array) => Buffer.from(value).toString('base64')
  return {
    prior: base64(prior),
    planned: base64(planned),
    plannedPrivate: base64(plannedPrivate),
    ...(plannedIdentity !== undefined && { plannedIdentity: base64(plannedIdentity) }),
  }
}

function refused(message: string): Refusal {
  return { kind: 'refused', message }
}

function changedSince({ object, step }: IntentDraft, source: ObjectSource | undefined): string | undefined {
  if (object === undefined) return undefined
  if (source === undefined) return 'the object was deleted since the plan was made'
  const { uid, generation, deletionTimestamp } = source.object.metadata ?? {}
  if (uid !== object.uid || (generation ?? 0) !== object.generation)
    return 'the object was changed since the plan was made: make a new plan'
  return deletionTimestamp != null && step !== 'delete' ? 'the object was deleted since the plan was made' : undefined
}

// Adds the finalizer in the commit of the first intent, so that no real resource can exist without it.
function managingChange(ref: ResourceRef, { change, step }: IntentDraft, { stored, object }: ObjectSource) {
  if (step === 'delete' || change.record.data) return []
  if (object.metadata?.finalizers?.includes(managedFinalizer) === true) return []
  const after: KubernetesObject = {
    ...object,
    metadata: { ...object.metadata, finalizers: [...withFinalizer(object.metadata?.finalizers, managedFinalizer)] },
  }
  return [{ resource: ref, place: ref, before: stored, beforeObject: object, after, tag: stored.tag }]
}

function seenStates({ change: { target }, states }: IntentDraft): SeenObject[] {
  const { ref, instance } = target
  const seen = (slot: StateRef['slot'], revision: number | undefined) => ({
    key: stateKey({ ref, instance, slot }),
    revision,
  })
  return [seen('current', states?.current?.revision), seen('observed', states?.observed?.revision)]
}

// The first half of a replacement records only which half is done.
function progressOf(record: ChangeRecord, { step }: IntentDraft, { outcome }: OutcomeDraft): ChangeProgress {
  const first = record.order === 'create-first' ? 'create' : 'delete'
  const isFirstHalf = record.action === 'replace' && step === first && outcome.result === 'applied'
  if (!isFirstHalf) return { outcome }
  return { half: first === 'create' ? 'made' : 'destroyed' }
}

/** The fields of a change record that change while it is applied. */
type ChangeProgress = Pick<ChangeRecord, 'outcome' | 'half'>

function isPlain({ outcome }: ChangeProgress): boolean {
  return outcome === undefined || (outcome.result === 'applied' && Object.keys(outcome).length === 2)
}
