import { addressToText, parseAddress } from '@hykube/machinery/object'
import type { PlanAction, PlanSummary } from '@hykube/machinery/plan-api'
import type { RunningPlan } from '../../estate/index.ts'
import {
  changeSpace,
  type Estate,
  edgeOperations,
  edgeRange,
  putBatch,
  putChange,
  putMark,
  putState,
  recordToBytes,
  type StoredChange,
  sourceOf,
  stateKey,
  stateRange,
} from '../../estate/index.ts'
import { wholeObject } from '../../evaluation/index.ts'
import {
  type ChangedInstance,
  type ChangeRecord,
  type InstanceKey,
  type InstanceStates,
  type PlannedBatch,
  type ResourceObject,
  type ResourceRef,
  refFromText,
  refToText,
  type StateRecord,
  withSettledFacts,
} from '../../model/index.ts'
import { destroysResource, keepsResource, type PlanSink, type Settlement } from '../../planning/index.ts'
import { HashedStringSet } from '../../provider-kinds/index.ts'
import type { Operation } from '../../storage/index.ts'
import { ChangeGroups } from '../applying/change-header.ts'
import { isStatusSettled, type SettledObject } from '../status/write-settled-status.ts'
import { clearMarks } from './clear-marks.ts'

/** The writes to object status that planning makes. */
export interface StatusWriter {
  /** Writes the attributes of a data source. */
  data(ref: ResourceRef, uid: string, attributes: object): Promise<void>
  /** Writes that an object needs no change. */
  settled(object: SettledObject): Promise<void>
}

/** Stores the changes of a plan while it is made, and the settlements and observations of planning. */
export class EstateSink implements PlanSink {
  readonly #plan: RunningPlan
  readonly #estate: Estate
  readonly #status: StatusWriter
  /** Marks that were written later stand for newer changes and stay. */
  readonly #since: number
  readonly #counts: Record<PlanAction, number> = {
    create: 0,
    update: 0,
    replace: 0,
    delete: 0,
    read: 0,
    forget: 0,
    import: 0,
    blocked: 0,
    deferred: 0,
  }
  readonly destroying = new Set<string>()
  readonly remaining = new Set<string>()
  readonly #pending = new HashedStringSet()
  readonly #changedObjects = new HashedStringSet()
  readonly #groups = new ChangeGroups()
  readonly #observedObjects = new Map<string, ResourceRef>()
  readonly #outputs = new Map<string, Set<string>>()
  readonly #now: () => string
  #kept = 0
  #warnings = 0
  #completedRead = 0

  constructor(plan: RunningPlan, estate: Estate, since: number, status: StatusWriter, now: () => string) {
    this.#now = now
    this.#plan = plan
    this.#estate = estate
    this.#status = status
    this.#since = since
  }

  get summary(): PlanSummary & Readonly<Record<PlanAction, number>> {
    return {
      ...this.#counts,
      ...(this.#kept > 0 && { kept: this.#kept }),
      ...(this.#completedRead > 0 && { readWhilePlanning: this.#completedRead }),
    }
  }

  /** True when the plan has something to apply. */
  get hasChanges(): boolean {
    const { blocked: _, deferred, ...work } = this.#counts
    const pending = Object.values(work).reduce((sum, count) => sum + count, -this.#completedRead)
    return deferred > 0 || pending > 0
  }

  /** The objects whose condition Drifted may have changed: their observed state differs from the applied one, or did before. */
  get observedObjects(): Iterable<ResourceRef> {
    return this.#observedObjects.values()
  }

  differs(ref: ResourceRef): void {
    this.#observedObjects.set(refToText(ref), ref)
  }

  get warnings(): number {
    return this.#warnings
  }

  /** The number of managed objects with a change or a blocked one; orphans don't count. */
  get changedObjects(): number {
    return this.#changedObjects.size
  }

  /** True when an object has a change in this plan, or was planned with inputs that aren't applied yet. */
  hasPendingChanges(refText: string): boolean {
    return this.#pending.has(refText)
  }

  async change(target: ChangedInstance, wanted: ChangeRecord): Promise<void> {
    const { record, value } = encoded(this.#addressed(target, wanted))
    this.#counts[record.action]++
    if (record.order === 'forget-first') this.#kept++
    const refText = refToText(target.ref)
    this.#pending.add(refText)
    if (destroysResource(record)) this.destroying.add(refText)
    if (keepsResource(record)) this.remaining.add(refText)
    if (!record.data && record.work?.generation !== 0) this.#changedObjects.add(refText)
    this.#warnings += warningsOf(record)
    const { cluster, uid } = this.#plan
    const put = putChange({ cluster, plan: uid, ...target }, value, this.#groups.numberOf(record))
    await this.#estate.commit({ operations: [put] })
  }

  async completedRead(target: ChangedInstance, wanted: ChangeRecord): Promise<void> {
    const outcome = { result: 'applied', message: 'read while planning', at: this.#now() } as const
    const { record, value } = encoded(this.#addressed(target, { ...wanted, outcome }))
    this.#counts.read++
    this.#completedRead++
    const { cluster, uid } = this.#plan
    const put = putChange({ cluster, plan: uid, ...target }, value, this.#groups.numberOf(record))
    await this.#estate.commit({ operations: [put] })
  }

  async replaceChange(target: ChangedInstance, before: ChangeRecord, record: ChangeRecord): Promise<void> {
    this.#counts[before.action]--
    if (before.order === 'forget-first') this.#kept--
    this.#warnings -= warningsOf(before)
    await this.change(target, record)
  }

  // Adds the namespace to addresses of objects outside the plan's namespace.
  #addressed({ ref: { namespace } }: ChangedInstance, record: ChangeRecord): ChangeRecord {
    if (namespace === this.#plan.namespace) return record
    return { ...record, address: addressToText({ ...parseAddress(record.address), namespace }) }
  }

  changes(ref: ResourceRef): AsyncIterable<StoredChange<ChangeRecord>> {
    const { cluster, uid } = this.#plan
    return this.#estate.changes<ChangeRecord>(cluster, uid, ref)
  }

  async settled(ref: ResourceRef, settlements: readonly Settlement[]): Promise<void> {
    await Promise.all(settlements.map((settlement) => this.#settle(ref, settlement)))
  }

  async settledBatch(ref: ResourceRef, { template, count, seen }: PlannedBatch): Promise<void> {
    await this.#estate.commit({ operations: [putBatch(ref, { settled: { template, count } }, seen)] })
  }

  async reportSettled(object: ResourceObject, size: number | undefined): Promise<void> {
    const known = sourceOf(object)?.object
    if (known === undefined || !isStatusSettled(known, size)) await this.#status.settled({ ...object, size })
  }

  finished(ref: ResourceRef): Promise<void> {
    return clearMarks(this.#estate, [ref], ['written', 'unsettled'], { since: this.#since })
  }

  keepMarks(ref: ResourceRef): void {
    this.#pending.add(refToText(ref))
  }

  async exclude(ref: ResourceRef): Promise<void> {
    this.keepMarks(ref)
    await this.#estate.commit({ operations: [putMark({ ref, kind: 'unsettled' })] })
  }

  async observed(
    ref: ResourceRef,
    instance: InstanceKey,
    record: StateRecord | undefined,
    changed: () => readonly string[],
  ): Promise<number | undefined> {
    this.differs(ref)
    const operations = [putState({ ref, instance, slot: 'observed' }, record)]
    if (record !== undefined) operations.push(putMark({ ref, kind: 'unsettled' }))
    operations.push(...(await this.#outputsMark(ref, changed)))
    const outcome = await this.#estate.commit({ operations })
    return outcome.kind === 'committed' && record !== undefined ? outcome.revisions[0] : undefined
  }

  // Instances are read at the same time: the set collects what all of them changed, so that no mark overwrites another.
  async #outputsMark(ref: ResourceRef, changed: () => readonly string[]): Promise<Operation[]> {
    if ((await this.#estate.count(edgeRange('desired', ref))) === 0) return []
    const names = changed()
    if (names.length === 0) return []
    const text = refToText(ref)
    const all = this.#outputs.get(text) ?? new Set()
    this.#outputs.set(text, all)
    for (const name of names) all.add(name)
    for (const name of (await this.#estate.mark(ref, 'outputs'))?.attributes ?? []) all.add(name)
    return [putMark({ ref, kind: 'outputs', attributes: [...all] })]
  }

  // Edges belong to all records of an object, including instances that it no longer has and deposed resources.
  async #isAll(ref: ResourceRef, instance: InstanceKey, records: number): Promise<boolean> {
    return instance === undefined && (await this.#estate.count(stateRange(ref))) === records
  }

  async forgotten(ref: ResourceRef, { instance, current, observed }: InstanceStates): Promise<void> {
    const operations: Operation[] = []
    const isAll = await this.#isAll(ref, instance, Number(current !== undefined) + Number(observed !== undefined))
    for (const slot of ['current', 'observed'] as const) {
      const known = slot === 'current' ? current : observed
      if (known === undefined) continue
      operations.push({ kind: 'delete', key: stateKey({ ref, instance, slot }), expect: known.revision })
      if (isAll) operations.push(...edgeOperations('applied', madeFrom(ref, known.record), []))
    }
    if (current !== undefined) operations.push(putMark({ ref, kind: 'outputs' }))
    await this.#estate.commit({ operations })
  }

  async read(
    ref: ResourceRef,
    instance: InstanceKey,
    record: StateRecord,
    changed: readonly string[],
    shown: object,
  ): Promise<void> {
    const operations: Operation[] = [putState({ ref, instance, slot: 'current' }, record)]
    operations.push(...edgeOperations('applied', [], madeFrom(ref, record)))
    if (changed.length > 0) {
      const before = (await this.#estate.mark(ref, 'outputs'))?.attributes ?? []
      operations.push(putMark({ ref, kind: 'outputs', attributes: [...new Set([...before, ...changed])] }))
    }
    await this.#estate.commit({ operations })
    if (instance === undefined) await this.#status.data(ref, record.uid, shown)
  }

  // The commit fails if the record changed meanwhile, which is fine: then the settlement is outdated.
  async #settle(ref: ResourceRef, { instance, slot, facts, revision, record: known }: Settlement): Promise<void> {
    const stored = known ?? (await this.#estate.state(ref, instance))?.[slot]?.record
    if (stored === undefined) return
    const key = stateKey({ ref, instance, slot })
    const record = withSettledFacts(stored, facts)
    const before = (await this.#isAll(ref, instance, 1)) ? madeFrom(ref, stored) : []
    await this.#estate.commit({
      operations: [
        { kind: 'put', key, value: recordToBytes(record), expect: revision },
        ...edgeOperations('applied', before, madeFrom(ref, record)),
      ],
    })
  }
}

function warningsOf({ diagnostics = [] }: ChangeRecord): number {
  return diagnostics.filter(({ severity }) => severity === 'warning').length
}

// A change that is too large to be stored becomes blocked; the rest of the plan is unaffected.
function encoded(record: ChangeRecord): { readonly record: ChangeRecord; readonly value: Uint8Array } {
  const value = recordToBytes(record)
  if (value.length <= changeSpace.largest!) return { record, value }
  const { address, provider, type, kind, data } = record
  const message = `its change takes ${value.length} bytes, more than the limit of ${changeSpace.largest}: split the object or make it smaller`
  const blocked: ChangeRecord = { address, provider, type, kind, data, action: 'blocked', message }
  return { record: blocked, value: recordToBytes(blocked) }
}

function madeFrom(dependent: ResourceRef, { dependencies }: StateRecord) {
  return dependencies.map((text) => ({
    target: refFromText(dependent.cluster, text),
    attribute: wholeObject,
    dependent,
  }))
}
