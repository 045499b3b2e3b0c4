import { Mutex } from '@hykube/machinery/base'
import { type KubernetesObject, withFinalizer } from '@hykube/machinery/object'
import type {
  BegunIntent,
  ChangeInHand,
  IntentCall,
  IntentDraft,
  Ledger,
  OutcomeDraft,
  Refusal,
  SentRequest,
} from '../apply/index.ts'
import {
  changeKey,
  closeIntent,
  type Estate,
  edgeRange,
  type Intent,
  type IntentRequest,
  journalKey,
  openIntent,
  putMark,
  putOutcome,
  putState,
  putWholeChange,
  recordToBytes,
  type StatePlace,
  stateKey,
  stateRange,
} from '../estate/index.ts'
import {
  type ChangeOutcome,
  type ChangeRecord,
  type InstanceStates,
  type NodePlace,
  nodeToText,
  type ProcessFacts,
} from '../plan/index.ts'
import { managedFinalizer } from '../provider/index.ts'
import type { ObjectStore, SeenObject } from '../resource/index.ts'
import type { Key, Operation } from '../storage/index.ts'
import { BatchClaims } from './batch-claims.ts'
import { type NodeSource, noteSource, sourceFrom, sourceOf } from './node-source.ts'
import { type LeftToDo, outcomeOperations } from './outcome-operations.ts'
import { settledObject } from './settled-object.ts'

/** Which plan is being applied. */
export interface PlanInHand {
  readonly cluster: string
  readonly uid: string
  readonly name: string
  readonly namespace: string
}

/** Writes intents and outcomes of one plan, each in one commit with everything that follows from it. */
export class EstateLedger implements Ledger {
  readonly #plan: PlanInHand
  readonly #objects: ObjectStore
  readonly #estate: Estate
  readonly #now: () => number
  readonly #longestCall: number
  readonly #batches: BatchClaims
  /** One at a time for each object: whether an outcome is the last one depends on the others. */
  readonly #nodes = new Map<string, { readonly mutex: Mutex; waiting: number }>()

  constructor(plan: PlanInHand, objects: ObjectStore, estate: Estate, now: () => number, longestCall: number) {
    this.#plan = plan
    this.#objects = objects
    this.#estate = estate
    this.#now = now
    this.#batches = new BatchClaims(estate, plan.uid)
    this.#longestCall = longestCall
  }

  async begin(draft: IntentDraft): Promise<BegunIntent | Refusal> {
    const operations = this.#intentOperations(draft)
    const { node, instance } = draft.change.place
    if (instance !== undefined) await this.#batches.claim(node, draft.change.record.work?.batch)
    let source = draft.node === undefined ? undefined : (sourceOf(draft.node) ?? (await this.#source(node)))
    for (;;) {
      const moved = movedSince(draft, source)
      if (moved !== undefined) return refused(moved)
      const changes = source === undefined ? [] : managingChange(node, draft, source)
      if (changes.length === 0 && operations.length === 0) return { kind: 'begun', draft }
      const seen = source === undefined || changes.length > 0 ? [] : [source.stored]
      const unmoved = [...seenStates(draft), ...seen]
      const outcome = await this.#objects.change(changes, { operations, unmoved })
      if (outcome.kind === 'committed') {
        const [stored] = outcome.objects
        if (stored !== undefined) noteSource(draft.node!, { stored, object: changes[0]!.after })
        return { kind: 'begun', draft }
      }
      const obstacle = await this.#obstacle(draft)
      if (obstacle !== undefined) return refused(obstacle)
      source = draft.node === undefined ? undefined : await this.#source(node)
      if (source !== undefined && movedSince(draft, source) === undefined) noteSource(draft.node!, source)
    }
  }

  // Whether something was the last of its object depends on the others, and what it leaves to do is marked once for all of them;
  // what is made waits for nobody.
  end({ draft }: BegunIntent, outcome: OutcomeDraft): Promise<void> {
    const { place } = draft.change
    const isMade = outcome.record !== undefined && draft.depose === undefined
    if (place.instance !== undefined && isMade) return this.#end(draft, outcome)
    return this.#alone(place.node, () => this.#end(draft, outcome))
  }

  async again({ draft }: BegunIntent, process: ProcessFacts): Promise<void> {
    const open = await this.#estate.intent(draft.change.place)
    if (open === undefined) throw new Error(`what came of ${draft.change.record.address} was decided meanwhile`)
    const { unknown: _, waits: __, ...intent } = open.intent
    const value = recordToBytes({ ...intent, process, deadline: this.#now() + this.#longestCall })
    const outcome = await this.#estate.commit({
      operations: [{ kind: 'put', key: open.key, value, expect: open.revision }],
    })
    if (outcome.kind === 'refused')
      throw new Error(`${draft.change.record.address} is decided by somebody else just now`)
  }

  async note({ place, record }: ChangeInHand, outcome: ChangeOutcome): Promise<void> {
    const operations = putWholeChange(this.#changeKey(place), { ...record, outcome })
    // A refused change has another plan or edit behind it, which leaves its own mark.
    if (outcome.result !== 'refused') operations.push(putMark({ node: place.node, kind: 'unsettled' }))
    await this.#estate.commit({ operations })
  }

  async #end(draft: IntentDraft, outcome: OutcomeDraft): Promise<void> {
    const { place, record } = draft.change
    const known = await this.#knownNow(draft)
    const others = outcome.record === undefined ? await this.#othersOf(place.node, known) : 1
    const { operations, isLast, left } = outcomeOperations(draft, outcome, known, others === 0)
    const all = [
      ...operations,
      ...(await this.#outputsMark(draft, outcome)),
      ...closing(draft),
      ...this.#cameOf(place, record, cameOf(record, draft, outcome)),
    ]
    let source = draft.node === undefined ? undefined : sourceOf(draft.node)
    for (;;) {
      // The status of many instances is written once for all of them.
      if (place.instance === undefined || isLast) source ??= await this.#source(place.node)
      else source = undefined
      const changes = source === undefined ? [] : settledObject(place, source, draft, outcome, isLast, this.#now())
      const marks = await this.#leftMark(place.node, left)
      const result = await this.#objects.change(changes, { operations: [...all, ...marks] })
      if (result.kind === 'committed') return
      source = undefined
    }
  }

  // What is known of an instance after its intent. Nobody else changes it while that is open, and whatever a refresh saw
  // meanwhile goes with the outcome.
  async #knownNow({ change: { place }, states, depose, call }: IntentDraft): Promise<InstanceStates | undefined> {
    if (call === undefined) return this.#estate.state(place.node, place.instance)
    if (depose === undefined || states?.current === undefined) return states
    const { current, ...rest } = states
    return { ...rest, deposed: [...rest.deposed, { key: depose, ...current }] }
  }

  // How many records there are of an object besides those of one instance.
  async #othersOf(node: NodePlace, known: InstanceStates | undefined): Promise<number> {
    const own = known === undefined ? 0 : Number(known.current !== undefined) + Number(known.observed !== undefined)
    return (await this.#estate.count(stateRange(node))) - own - (known?.deposed.length ?? 0)
  }

  // What the second half of a change does is settled with the plan, unless somebody else has left something to do as well.
  // The mark is made anew each time: whoever looked before must not take it away.
  async #leftMark(node: NodePlace, left: LeftToDo): Promise<Operation[]> {
    if (left === 'nothing') return []
    if (left === 'by-others') return [putMark({ node, kind: 'unsettled' })]
    const known = await this.#estate.mark(node, 'unsettled')
    const isOwn = known === undefined || known.by === this.#plan.uid
    const mark = putMark({ node, kind: 'unsettled', ...(isOwn && { by: this.#plan.uid }) })
    return [{ ...mark, expect: known?.revision ?? 'absent' }]
  }

  // Who refers to an attribute that changed is found when the next plan is made. Nobody refers to most objects.
  async #outputsMark({ change }: IntentDraft, { changed }: OutcomeDraft): Promise<Operation[]> {
    const { node } = change.place
    const attributes = (await this.#estate.count(edgeRange('desired', node))) === 0 ? [] : changed()
    if (attributes.length === 0) return []
    const before = (await this.#estate.mark(node, 'outputs'))?.attributes ?? []
    return [putMark({ node, kind: 'outputs', attributes: [...new Set([...before, ...attributes])] })]
  }

  #intentOperations(draft: IntentDraft): Operation[] {
    const { place } = draft.change
    const { call } = draft
    const operations: Operation[] = []
    if (call !== undefined)
      operations.push(...openIntent(place, this.#intent(draft, call), call.request && requestText(call.request)))
    const { current } = draft.states ?? {}
    if (draft.depose !== undefined && current !== undefined) {
      const { node, instance } = place
      operations.push(putState({ node, instance, slot: `deposed/${draft.depose}` }, current.record))
      operations.push(putState({ node, instance, slot: 'current' }, undefined))
    }
    return operations
  }

  #intent({ change, step, depose }: IntentDraft, { process, repeatable, facts }: IntentCall): Intent {
    return {
      plan: this.#plan.uid,
      planName: this.#plan.name,
      planNamespace: this.#plan.namespace,
      step: change.place.part === '' ? step : 'delete-deposed',
      part: change.place.part,
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

  // That something was done is kept beside the change. What is to be said of it may hold more, and goes where it is encrypted.
  #cameOf(place: ChangeInHand['place'], record: ChangeRecord, came: Came): Operation[] {
    const key = this.#changeKey(place)
    return isPlain(came) ? [putOutcome(key, came)] : putWholeChange(key, { ...record, ...came })
  }

  #changeKey(place: ChangeInHand['place']): Key {
    const { cluster, uid } = this.#plan
    return changeKey({ cluster, plan: uid, ...place })
  }

  // Why an intent was refused; undefined when only the object's labels or status have changed, and it can be tried again.
  async #obstacle({ change, states }: IntentDraft): Promise<string | undefined> {
    const open = await this.#estate.intent(change.place)
    if (open !== undefined)
      return `plan ${JSON.stringify(open.intent.planName)} in namespace ${JSON.stringify(open.intent.planNamespace)} is changing it, or its outcome is not known: see hykube resolve`
    const now = await this.#estate.state(change.place.node, change.place.instance)
    const same =
      now?.current?.revision === states?.current?.revision && now?.observed?.revision === states?.observed?.revision
    return same ? undefined : 'its state has changed since the plan was made: make a new plan'
  }

  async #source(place: NodePlace): Promise<NodeSource | undefined> {
    const stored = await this.#objects.get(place, place)
    return stored === undefined ? undefined : sourceFrom(stored)
  }

  async #alone(node: NodePlace, work: () => Promise<void>): Promise<void> {
    const text = nodeToText(node)
    const turns = this.#nodes.get(text) ?? { mutex: new Mutex(), waiting: 0 }
    this.#nodes.set(text, turns)
    turns.waiting++
    try {
      await turns.mutex.run(work)
    } finally {
      if (--turns.waiting === 0) this.#nodes.delete(text)
    }
  }
}

// What was sent lies beside the intent, unless the change said it; of a call that was recovered, nobody looked.
function closing({ change: { place }, call }: IntentDraft): Operation[] {
  const isKeptAlone = call !== undefined && call.request === undefined
  return isKeptAlone ? [{ kind: 'delete', key: journalKey(place) }] : closeIntent(place)
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

function movedSince({ node, step }: IntentDraft, source: NodeSource | undefined): string | undefined {
  if (node === undefined) return undefined
  if (source === undefined) return 'the object was deleted since the plan was made'
  const { uid, generation, deletionTimestamp } = source.object.metadata ?? {}
  if (uid !== node.uid || (generation ?? 0) !== node.generation)
    return 'the object was changed since the plan was made: make a new plan'
  return deletionTimestamp != null && step !== 'delete' ? 'the object was deleted since the plan was made' : undefined
}

// The finalizer comes with the first intent.
function managingChange(node: NodePlace, { change, step }: IntentDraft, { stored, object }: NodeSource) {
  if (step === 'delete' || change.record.data) return []
  if (object.metadata?.finalizers?.includes(managedFinalizer) === true) return []
  const after: KubernetesObject = {
    ...object,
    metadata: { ...object.metadata, finalizers: [...withFinalizer(object.metadata?.finalizers, managedFinalizer)] },
  }
  return [{ resource: node, place: node, before: stored, beforeObject: object, after, tag: stored.tag }]
}

function seenStates({ change: { place }, states }: IntentDraft): SeenObject[] {
  const { node, instance } = place
  const seen = (slot: StatePlace['slot'], revision: number | undefined) => ({
    key: stateKey({ node, instance, slot }),
    revision,
  })
  return [seen('current', states?.current?.revision), seen('observed', states?.observed?.revision)]
}

// A replacement is done when both halves are.
function cameOf(record: ChangeRecord, { step }: IntentDraft, { outcome }: OutcomeDraft): Came {
  const first = record.order === 'create-first' ? 'create' : 'delete'
  const isFirstHalf = record.action === 'replace' && step === first && outcome.result === 'applied'
  if (!isFirstHalf) return { outcome }
  return { half: first === 'create' ? 'made' : 'destroyed' }
}

/** What of a change tells what came of it. */
type Came = Pick<ChangeRecord, 'outcome' | 'half'>

function isPlain({ outcome }: Came): boolean {
  return outcome === undefined || (outcome.result === 'applied' && Object.keys(outcome).length === 2)
}
