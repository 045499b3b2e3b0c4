import { type Estate, putMark, putReview, type StoredMark } from '../estate/index.ts'
import {
  type NodeKind,
  type NodePlace,
  nodeFromText,
  nodeToText,
  type PlanRequest,
  type PlanSeeds,
  wholeObject,
} from '../plan/index.ts'
import { type ObjectStore, objectFromKey, objectRange } from '../resource/index.ts'
import type { Operation, Revision } from '../storage/index.ts'
import { clearMarks } from './clear-marks.ts'
import { HashedTexts } from './hashed-texts.ts'
import type { ServedKinds } from './kind-catalogue.ts'

/** Where a plan looks: a cluster, and a namespace of it or all. */
export interface PlanArea {
  readonly cluster: string
  readonly namespace: string | undefined
}

/** A plan that covers everything in its area, now that it is made. */
export interface MadePlan {
  /** Its uid. */
  readonly plan: string
  /** Whether something is left to do for an object. */
  readonly hasLeft: (node: string) => boolean
  /** What was there when it began. */
  readonly since: Revision
}

/** Finds what a plan begins with, and afterwards takes away the marks that it has dealt with. */
export class Seeding {
  readonly #estate: Estate
  readonly #objects: ObjectStore
  readonly #kinds: ServedKinds
  readonly #area: PlanArea
  /** What must be looked at. There may be a million: most of them are read again instead of being kept. */
  readonly #marked = new HashedTexts()
  readonly #unsettled = new HashedTexts()
  /** Those of them that the plan names, or that refer to what changed, as texts. */
  readonly #concerned = new Set<string>()
  readonly #outputs: StoredMark[] = []
  readonly #configurations: StoredMark[] = []

  constructor(estate: Estate, objects: ObjectStore, kinds: ServedKinds, area: PlanArea) {
    this.#estate = estate
    this.#objects = objects
    this.#kinds = kinds
    this.#area = area
  }

  /** Reads the marks. What the plan itself names counts as marked; one that looks at everything begins with all there is instead. */
  async seeds({ everything, refresh, mode }: PlanRequest, named: readonly NodePlace[]): Promise<PlanSeeds> {
    await this.#readMarks()
    for (const place of named) this.#concern(place)
    const all = everything || refresh === 'All' || mode !== 'Normal'
    const isMarked = (node: string) => this.#marked.has(node)
    const isUnsettled = (node: string) => this.#unsettled.has(node)
    return { isMarked, isUnsettled, places: all ? this.#everything() : this.#everyMarked() }
  }

  /**
   * Takes away the marks that said that outputs or configurations changed, since everybody whom they concern was looked at:
   * who has a change in the plan, or was looked at with inputs of such a change, is marked instead: it may never be applied.
   */
  async finish(made: MadePlan): Promise<void> {
    const { since } = made
    for (const mark of this.#outputs) {
      const dependents = await this.#concernedBy(mark)
      if (mark.revision > since || dependents.some((place) => !this.#covers(place))) continue
      await this.#markLeft(dependents, made)
      await clearMarks(this.#estate, [mark.node], ['outputs'], { since })
    }
    for (const mark of this.#configurations) await this.#reviewed(mark, made)
  }

  async #readMarks(): Promise<void> {
    const { cluster, namespace } = this.#area
    for (const kind of ['written', 'unsettled'] as const)
      for await (const { node } of this.#estate.marks(cluster, kind, namespace)) {
        if (!isConfiguration(node)) this.#marked.add(nodeToText(node))
        if (kind === 'unsettled') this.#unsettled.add(nodeToText(node))
      }
    for await (const mark of this.#estate.marks(cluster, 'outputs')) {
      const dependents = await this.#concernedBy(mark)
      this.#outputs.push(mark)
      for (const dependent of dependents) this.#concern(dependent)
    }
    // Providers are in no namespace, and concern all.
    if (namespace !== undefined)
      for await (const mark of this.#estate.marks(cluster, 'written', '')) await this.#configured(mark)
    for await (const mark of this.#estate.marks(cluster, 'written', namespace)) await this.#configured(mark)
  }

  #concern(node: NodePlace): void {
    if (!this.#isPlanned(node)) return
    this.#marked.add(nodeToText(node))
    this.#concerned.add(nodeToText(node))
  }

  #isPlanned(node: NodePlace): boolean {
    return !isConfiguration(node) && this.#covers(node)
  }

  #covers({ namespace }: NodePlace): boolean {
    return this.#area.namespace === undefined || this.#area.namespace === namespace
  }

  async #concernedBy({ node, attributes }: StoredMark): Promise<NodePlace[]> {
    const found = new Map<string, NodePlace>()
    for (const attribute of attributes === undefined ? [undefined] : [...attributes, wholeObject])
      for await (const dependent of this.#estate.dependents('desired', node, attribute))
        if (dependent.group !== 'hykube.io') found.set(nodeToText(dependent), dependent)
        else for await (const user of this.#usersOf(dependent)) found.set(nodeToText(user), user)
    return [...found.values()]
  }

  // A provider or a configuration that changed concerns whoever uses it, once in each namespace.
  async #configured(mark: StoredMark): Promise<void> {
    const { node, revision } = mark
    if (node.group !== 'hykube.io') return
    if ((await this.#estate.reviewed(this.#area.namespace ?? '', node)) >= revision) return
    this.#configurations.push(mark)
    for await (const user of this.#usersOf(node)) if (this.#isPlanned(user)) this.#marked.add(nodeToText(user))
  }

  async *#usersOf(node: NodePlace): AsyncGenerator<NodePlace> {
    if (node.resource === 'providerconfigs') yield* this.#estate.dependents('desired', node)
    if (node.resource !== 'providers') return
    for (const kind of this.#kinds.kinds(node.cluster)) if (kind.provider === node.name) yield* this.#objectsOf(kind)
  }

  async #reviewed(mark: StoredMark, made: MadePlan): Promise<void> {
    const { since } = made
    if (mark.revision > since) return
    const users: NodePlace[] = []
    for await (const user of this.#usersOf(mark.node)) if (this.#covers(user)) users.push(user)
    await this.#markLeft(users, made)
    if (this.#area.namespace === undefined || mark.node.resource === 'providerconfigs')
      await clearMarks(this.#estate, [mark.node], ['written'], { since })
    else await this.#estate.commit({ operations: [putReview(this.#area.namespace, mark.node, mark.revision)] })
  }

  async #markLeft(places: readonly NodePlace[], made: MadePlan): Promise<void> {
    const left = places.filter((place) => made.hasLeft(nodeToText(place)))
    for (let start = 0; start < left.length; start += 500) {
      const some = left.slice(start, start + 500)
      while (!(await this.#markUnsettled(some, made)));
    }
  }

  // The plan that is made now deals with it; a mark of the meantime may be about something else, and stays as it is.
  async #markUnsettled(places: readonly NodePlace[], { since, plan }: MadePlan): Promise<boolean> {
    const operations: Operation[] = []
    for (const node of places) {
      const known = (await this.#estate.mark(node, 'unsettled'))?.revision
      if (known !== undefined && known > since) continue
      operations.push({ ...putMark({ node, kind: 'unsettled', by: plan }), expect: known ?? 'absent' })
    }
    return operations.length === 0 || (await this.#estate.commit({ operations })).kind === 'committed'
  }

  async *#everyMarked(): AsyncGenerator<NodePlace> {
    const { cluster, namespace } = this.#area
    for (const kind of ['written', 'unsettled'] as const)
      for await (const { node } of this.#estate.marks(cluster, kind, namespace)) if (!isConfiguration(node)) yield node
    for (const { node } of this.#configurations)
      for await (const user of this.#usersOf(node)) if (this.#isPlanned(user)) yield user
    for (const text of [...this.#concerned].sort()) yield nodeFromText(cluster, text)
  }

  async *#everything(): AsyncGenerator<NodePlace> {
    const { cluster, namespace } = this.#area
    for (const kind of this.#kinds.kinds(cluster)) yield* this.#objectsOf(kind)
    yield* this.#estate.nodesWithState(cluster, namespace)
  }

  async *#objectsOf({ group, resource }: NodeKind): AsyncGenerator<NodePlace> {
    const { cluster, namespace } = this.#area
    const range = objectRange({ group, resource }, cluster, namespace)
    let page = await this.#objects.scan(range, { keysOnly: true })
    for (;;) {
      for (const { key } of page.entries) {
        const { namespace: own, name } = objectFromKey(key)
        yield { cluster, group, resource, namespace: own, name }
      }
      if (page.last === undefined) return
      page = await this.#objects.scan(range, { revision: page.revision, after: page.last, keysOnly: true })
    }
  }
}

function isConfiguration({ group }: NodePlace): boolean {
  return group === 'hykube.io'
}
