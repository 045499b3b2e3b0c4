import {
  changeSpace,
  type Estate,
  edgeOperations,
  putBatch,
  putChange,
  putMark,
  putState,
  recordToBytes,
  type StoredChange,
  stateKey,
} from '../estate/index.ts'
import { addressToText, parseAddress } from '../expression/index.ts'
import {
  type ChangeAction,
  type ChangedInstance,
  type ChangeRecord,
  type InstanceKey,
  type InstanceStates,
  isGoing,
  isStaying,
  type NodeFacts,
  type NodePlace,
  nodeFromText,
  nodeToText,
  type PlannedBatch,
  type PlanSink,
  type Settlement,
  type StateRecord,
  wholeObject,
  withSettledFacts,
} from '../plan/index.ts'
import type { Operation } from '../storage/index.ts'
import { ChangeSorts } from './change-header.ts'
import { clearMarks } from './clear-marks.ts'
import { HashedTexts } from './hashed-texts.ts'
import type { PlanInHand } from './ledger.ts'
import { sourceOf } from './node-source.ts'
import { type SettledNode, saysSettled } from './tell-settled.ts'

/** How many changes of each kind a plan has. */
export type PlanSummary = Readonly<Record<ChangeAction, number>> & {
  /** Of the replacements: how many forget the old object instead of destroying it. Absent when there are none. */
  readonly kept?: number
  /** Objects that the plan leaves as they are, where that is known without looking at them. */
  readonly noop?: number
  /** How many of `read` ran while planning: commands of script providers. Absent when there are none. */
  readonly readWhilePlanning?: number
}

/** What planning alone writes to objects. */
export interface PlanTelling {
  /** Shows what a data source said where its readers look. */
  data(place: NodePlace, uid: string, attributes: object): Promise<void>
  /** Says in the status of an object that nothing is left to do. */
  settled(node: SettledNode): Promise<void>
}

/** Keeps a plan as it is made, and what looking at things settled. */
export class EstateSink implements PlanSink {
  readonly #plan: PlanInHand
  readonly #estate: Estate
  readonly #telling: PlanTelling
  /** Marks that were made later are somebody's newer wishes. */
  readonly #since: number
  readonly #counts: Record<ChangeAction, number> = {
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
  readonly going = new Set<string>()
  readonly staying = new Set<string>()
  readonly #left = new HashedTexts()
  readonly #changedObjects = new HashedTexts()
  readonly #sorts = new ChangeSorts()
  readonly #looked = new Map<string, NodePlace>()
  readonly #now: () => string
  #kept = 0
  #warnings = 0
  #readAlready = 0

  constructor(plan: PlanInHand, estate: Estate, since: number, telling: PlanTelling, now: () => string) {
    this.#now = now
    this.#plan = plan
    this.#estate = estate
    this.#telling = telling
    this.#since = since
  }

  get summary(): PlanSummary {
    return {
      ...this.#counts,
      ...(this.#kept > 0 && { kept: this.#kept }),
      ...(this.#readAlready > 0 && { readWhilePlanning: this.#readAlready }),
    }
  }

  /** Whether anything would be done. */
  get hasChanges(): boolean {
    const { blocked: _, deferred, ...work } = this.#counts
    const pending = Object.values(work).reduce((sum, count) => sum + count, -this.#readAlready)
    return deferred > 0 || pending > 0
  }

  /** The objects of which a reading saw something else than the one before. */
  get looked(): Iterable<NodePlace> {
    return this.#looked.values()
  }

  get warnings(): number {
    return this.#warnings
  }

  /** How many objects of resources have a change, or something in its way; what is left of one that is gone does not count. */
  get changedObjects(): number {
    return this.#changedObjects.size
  }

  /** Whether this plan leaves something to do for an object, be it that it is applied. */
  hasLeft(node: string): boolean {
    return this.#left.has(node)
  }

  async change(place: ChangedInstance, wanted: ChangeRecord): Promise<void> {
    const { record, value } = kept(this.#addressed(place, wanted))
    this.#counts[record.action]++
    if (record.order === 'forget-first') this.#kept++
    const node = nodeToText(place.node)
    this.#left.add(node)
    if (isGoing(record)) this.going.add(node)
    if (isStaying(record)) this.staying.add(node)
    if (!record.data && record.work?.generation !== 0) this.#changedObjects.add(node)
    this.#warnings += warningsOf(record)
    const { cluster, uid } = this.#plan
    const put = putChange({ cluster, plan: uid, ...place }, value, this.#sorts.numberOf(record))
    await this.#estate.commit({ operations: [put] })
  }

  async readAlready(place: ChangedInstance, wanted: ChangeRecord): Promise<void> {
    const outcome = { result: 'applied', message: 'read while planning', at: this.#now() } as const
    const { record, value } = kept(this.#addressed(place, { ...wanted, outcome }))
    this.#counts.read++
    this.#readAlready++
    const { cluster, uid } = this.#plan
    const put = putChange({ cluster, plan: uid, ...place }, value, this.#sorts.numberOf(record))
    await this.#estate.commit({ operations: [put] })
  }

  async instead(place: ChangedInstance, before: ChangeRecord, record: ChangeRecord): Promise<void> {
    this.#counts[before.action]--
    if (before.order === 'forget-first') this.#kept--
    this.#warnings -= warningsOf(before)
    await this.change(place, record)
  }

  // In a plan, what is in another namespace than the plan itself says so.
  #addressed({ node: { namespace } }: ChangedInstance, record: ChangeRecord): ChangeRecord {
    if (namespace === this.#plan.namespace) return record
    return { ...record, address: addressToText({ ...parseAddress(record.address), namespace }) }
  }

  changes(place: NodePlace): AsyncIterable<StoredChange<ChangeRecord>> {
    const { cluster, uid } = this.#plan
    return this.#estate.changes<ChangeRecord>(cluster, uid, place)
  }

  async settled(place: NodePlace, settlements: readonly Settlement[]): Promise<void> {
    await Promise.all(settlements.map((settlement) => this.#settle(place, settlement)))
  }

  async settledBatch(place: NodePlace, { template, count, seen }: PlannedBatch): Promise<void> {
    await this.#estate.commit({ operations: [putBatch(place, { settled: { template, count } }, seen)] })
  }

  async tellSettled(node: NodeFacts, size: number | undefined): Promise<void> {
    const known = sourceOf(node)?.object
    if (known === undefined || !saysSettled(known, size)) await this.#telling.settled({ ...node, size })
  }

  finished(place: NodePlace): Promise<void> {
    return clearMarks(this.#estate, [place], ['written', 'unsettled'], { since: this.#since })
  }

  left(place: NodePlace): void {
    this.#left.add(nodeToText(place))
  }

  async leftOut(node: NodePlace): Promise<void> {
    this.left(node)
    await this.#estate.commit({ operations: [putMark({ node, kind: 'unsettled' })] })
  }

  async observed(
    place: NodePlace,
    instance: InstanceKey,
    record: StateRecord | undefined,
  ): Promise<number | undefined> {
    this.#looked.set(nodeToText(place), place)
    const operations = [putState({ node: place, instance, slot: 'observed' }, record)]
    if (record !== undefined) operations.push(putMark({ node: place, kind: 'unsettled' }))
    const outcome = await this.#estate.commit({ operations })
    return outcome.kind === 'committed' && record !== undefined ? outcome.revisions[0] : undefined
  }

  async forgotten(node: NodePlace, { instance, current, observed }: InstanceStates): Promise<void> {
    const operations: Operation[] = []
    for (const slot of ['current', 'observed'] as const) {
      const known = slot === 'current' ? current : observed
      if (known === undefined) continue
      operations.push({ kind: 'delete', key: stateKey({ node, instance, slot }), expect: known.revision })
      if (instance === undefined) operations.push(...edgeOperations('applied', madeFrom(node, known.record), []))
    }
    if (current !== undefined) operations.push(putMark({ node, kind: 'outputs' }))
    await this.#estate.commit({ operations })
  }

  async read(
    place: NodePlace,
    instance: InstanceKey,
    record: StateRecord,
    changed: readonly string[],
    shown: object,
  ): Promise<void> {
    const operations: Operation[] = [putState({ node: place, instance, slot: 'current' }, record)]
    operations.push(...edgeOperations('applied', [], madeFrom(place, record)))
    if (changed.length > 0) {
      const before = (await this.#estate.mark(place, 'outputs'))?.attributes ?? []
      operations.push(putMark({ node: place, kind: 'outputs', attributes: [...new Set([...before, ...changed])] }))
    }
    await this.#estate.commit({ operations })
    if (instance === undefined) await this.#telling.data(place, record.uid, shown)
  }

  // A record that was written meanwhile is somebody's newer truth.
  async #settle(node: NodePlace, { instance, slot, facts, revision, record: known }: Settlement): Promise<void> {
    const stored = known ?? (await this.#estate.state(node, instance))?.[slot]?.record
    if (stored === undefined) return
    const key = stateKey({ node, instance, slot })
    const record = withSettledFacts(stored, facts)
    const before = instance === undefined ? madeFrom(node, stored) : []
    await this.#estate.commit({
      operations: [
        { kind: 'put', key, value: recordToBytes(record), expect: revision },
        ...edgeOperations('applied', before, madeFrom(node, record)),
      ],
    })
  }
}

function warningsOf({ diagnostics = [] }: ChangeRecord): number {
  return diagnostics.filter(({ severity }) => severity === 'warning').length
}

// What can't be kept can't be carried out: it holds up nothing else.
function kept(record: ChangeRecord): { readonly record: ChangeRecord; readonly value: Uint8Array } {
  const value = recordToBytes(record)
  if (value.length <= changeSpace.largest!) return { record, value }
  const { address, provider, type, kind, data } = record
  const message = `its change takes ${value.length} bytes, and at most ${changeSpace.largest} can be kept: make it smaller, or several objects of it`
  const blocked: ChangeRecord = { address, provider, type, kind, data, action: 'blocked', message }
  return { record: blocked, value: recordToBytes(blocked) }
}

function madeFrom(dependent: NodePlace, { dependencies }: StateRecord) {
  return dependencies.map((text) => ({
    target: nodeFromText(dependent.cluster, text),
    attribute: wholeObject,
    dependent,
  }))
}
