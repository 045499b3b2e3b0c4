import { type Estate, putMark, putReview, type StoredMark } from '../../estate/index.ts'
import { wholeObject } from '../../evaluation/index.ts'
import { type ResourceKind, type ResourceRef, refFromText, refToText } from '../../model/index.ts'
import type { PlanRequest, PlanSeeds } from '../../planning/index.ts'
import type { ServedKinds } from '../../provider-kinds/index.ts'
import { HashedStringSet } from '../../provider-kinds/index.ts'
import { type ObjectStore, objectFromKey, objectRange } from '../../resource/index.ts'
import type { Operation, Revision } from '../../storage/index.ts'
import { clearMarks } from './clear-marks.ts'

/** The scope of a plan: a namespace, or a whole logical cluster. */
export interface PlanArea {
  readonly cluster: string
  readonly namespace: string | undefined
}

/** A finished plan over everything in its scope. */
export interface FinishedPlan {
  /** The uid of the plan. */
  readonly plan: string
  /** True when an object has a change in the plan, or was planned with inputs that aren't applied yet. */
  readonly hasPendingChanges: (refText: string) => boolean
  /** The revision at which the plan began. */
  readonly since: Revision
}

/** Finds the objects that a plan starts with, and afterwards removes the marks that it has handled. */
export class Seeding {
  readonly #estate: Estate
  readonly #objects: ObjectStore
  readonly #kinds: ServedKinds
  readonly #area: PlanArea
  readonly #follows: (mark: StoredMark) => Promise<boolean>
  /** The objects to plan, as hashes: there may be a million, so their references are read again when needed. */
  readonly #marked = new HashedStringSet()
  readonly #unsettled = new HashedStringSet()
  /** The objects that the plan names, or that refer to changed outputs, as texts of references. */
  readonly #affected = new Set<string>()
  readonly #outputs: StoredMark[] = []
  readonly #configurations: StoredMark[] = []

  /** `follows` reports whether a mark of outputs or of a configuration counts. Default: each of them. */
  constructor(
    estate: Estate,
    objects: ObjectStore,
    kinds: ServedKinds,
    area: PlanArea,
    follows: (mark: StoredMark) => Promise<boolean> = async () => true,
  ) {
    this.#estate = estate
    this.#objects = objects
    this.#kinds = kinds
    this.#area = area
    this.#follows = follows
  }

  /** Reads the marks. Objects that the plan names count as marked. A plan over everything starts with all objects instead. */
  async seeds({ everything, refresh, mode }: PlanRequest, named: readonly ResourceRef[]): Promise<PlanSeeds> {
    await this.#readMarks()
    for (const ref of named) this.#markAffected(ref)
    const all = everything || refresh === 'All' || mode !== 'Normal'
    const isMarked = (refText: string) => this.#marked.has(refText)
    const isUnsettled = (refText: string) => this.#unsettled.has(refText)
    return { isMarked, isUnsettled, refs: all ? this.#everything() : this.#everyMarked() }
  }

  /**
   * Removes the marks of changed outputs and configurations, because all affected objects were planned. Affected objects with a change, or with
   * inputs that aren't applied yet, are marked themselves, because the plan may never be applied.
   */
  async finish(finished: FinishedPlan): Promise<void> {
    const { since } = finished
    for (const mark of this.#outputs) {
      const dependents = await this.#affectedBy(mark)
      if (mark.revision > since || dependents.some((ref) => !this.#covers(ref))) continue
      await this.#markPending(dependents, finished)
      await clearMarks(this.#estate, [mark.ref], ['outputs'], { since })
    }
    for (const mark of this.#configurations) await this.#reviewed(mark, finished)
  }

  async #readMarks(): Promise<void> {
    const { cluster, namespace } = this.#area
    for (const kind of ['written', 'unsettled'] as const)
      for await (const { ref } of this.#estate.marks(cluster, kind, namespace)) {
        if (!isConfiguration(ref)) this.#marked.add(refToText(ref))
        if (kind === 'unsettled') this.#unsettled.add(refToText(ref))
      }
    for await (const mark of this.#estate.marks(cluster, 'outputs')) {
      if (!(await this.#follows(mark))) continue
      const dependents = await this.#affectedBy(mark)
      this.#outputs.push(mark)
      for (const dependent of dependents) this.#markAffected(dependent)
    }
    // Providers are cluster-scoped and affect every namespace.
    if (namespace !== undefined)
      for await (const mark of this.#estate.marks(cluster, 'written', '')) await this.#configured(mark)
    for await (const mark of this.#estate.marks(cluster, 'written', namespace)) await this.#configured(mark)
  }

  #markAffected(ref: ResourceRef): void {
    if (!this.#isPlanned(ref)) return
    this.#marked.add(refToText(ref))
    this.#affected.add(refToText(ref))
  }

  #isPlanned(ref: ResourceRef): boolean {
    return !isConfiguration(ref) && this.#covers(ref)
  }

  #covers({ namespace }: ResourceRef): boolean {
    return this.#area.namespace === undefined || this.#area.namespace === namespace
  }

  async #affectedBy({ ref, attributes }: StoredMark): Promise<ResourceRef[]> {
    const found = new Map<string, ResourceRef>()
    for (const attribute of attributes === undefined ? [undefined] : [...attributes, wholeObject])
      for await (const dependent of this.#estate.dependents('desired', ref, attribute))
        if (dependent.group !== 'hykube.io') found.set(refToText(dependent), dependent)
        else for await (const user of this.#usersOf(dependent)) found.set(refToText(user), user)
    return [...found.values()]
  }

  // A changed Provider or ProviderConfig affects the objects that use it, once per namespace.
  async #configured(mark: StoredMark): Promise<void> {
    const { ref, revision } = mark
    if (ref.group !== 'hykube.io') return
    if ((await this.#estate.reviewed(this.#area.namespace ?? '', ref)) >= revision) return
    if (!(await this.#follows(mark))) return
    this.#configurations.push(mark)
    for await (const user of this.#usersOf(ref)) if (this.#isPlanned(user)) this.#marked.add(refToText(user))
  }

  async *#usersOf(ref: ResourceRef): AsyncGenerator<ResourceRef> {
    if (ref.resource === 'providerconfigs') yield* this.#estate.dependents('desired', ref)
    if (ref.resource !== 'providers') return
    for (const kind of this.#kinds.kinds(ref.cluster)) if (kind.provider === ref.name) yield* this.#objectsOf(kind)
  }

  async #reviewed(mark: StoredMark, finished: FinishedPlan): Promise<void> {
    const { since } = finished
    if (mark.revision > since) return
    const users: ResourceRef[] = []
    for await (const user of this.#usersOf(mark.ref)) if (this.#covers(user)) users.push(user)
    await this.#markPending(users, finished)
    if (this.#area.namespace === undefined || mark.ref.resource === 'providerconfigs')
      await clearMarks(this.#estate, [mark.ref], ['written'], { since })
    else await this.#estate.commit({ operations: [putReview(this.#area.namespace, mark.ref, mark.revision)] })
  }

  async #markPending(refs: readonly ResourceRef[], finished: FinishedPlan): Promise<void> {
    const pending = refs.filter((ref) => finished.hasPendingChanges(refToText(ref)))
    for (let start = 0; start < pending.length; start += 500) {
      const some = pending.slice(start, start + 500)
      while (!(await this.#markUnsettled(some, finished)));
    }
  }

  // The mark belongs to this plan. A mark that was written while the plan was finished may stand for another change and stays.
  async #markUnsettled(refs: readonly ResourceRef[], { since, plan }: FinishedPlan): Promise<boolean> {
    const operations: Operation[] = []
    for (const ref of refs) {
      const known = (await this.#estate.mark(ref, 'unsettled'))?.revision
      if (known !== undefined && known > since) continue
      operations.push({ ...putMark({ ref, kind: 'unsettled', by: plan }), expect: known ?? 'absent' })
    }
    return operations.length === 0 || (await this.#estate.commit({ operations })).kind === 'committed'
  }

  async *#everyMarked(): AsyncGenerator<ResourceRef> {
    const { cluster, namespace } = this.#area
    for (const kind of ['written', 'unsettled'] as const)
      for await (const { ref } of this.#estate.marks(cluster, kind, namespace)) if (!isConfiguration(ref)) yield ref
    for (const { ref } of this.#configurations)
      for await (const user of this.#usersOf(ref)) if (this.#isPlanned(user)) yield user
    for (const text of [...this.#affected].sort()) yield refFromText(cluster, text)
  }

  async *#everything(): AsyncGenerator<ResourceRef> {
    const { cluster, namespace } = this.#area
    for (const kind of this.#kinds.kinds(cluster)) yield* this.#objectsOf(kind)
    yield* this.#estate.refsWithState(cluster, namespace)
  }

  async *#objectsOf({ group, resource }: ResourceKind): AsyncGenerator<ResourceRef> {
    const { cluster, namespace } = this.#area
    const range = objectRange({ group, resource }, cluster, namespace)
    for await (const entries of this.#objects.pages(range, { keysOnly: true })) {
      for (const { key } of entries) {
        const { namespace: own, name } = objectFromKey(key)
        yield { cluster, group, resource, namespace: own, name }
      }
    }
  }
}

function isConfiguration({ group }: ResourceRef): boolean {
  return group === 'hykube.io'
}
