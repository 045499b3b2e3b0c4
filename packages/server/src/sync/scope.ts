import type { KubernetesObject } from '@hykube/machinery/object'
import type { UserInfo } from '../auth/index.ts'
import { kindsInUse, syncModeOf } from '../estate/index.ts'
import type { ResourceRef } from '../model/index.ts'
import { authorOf, type EngineParts } from '../plans/index.ts'
import { decodeObject, objectFromKey, objectRange } from '../resource/index.ts'
import type { Page } from '../storage/index.ts'
import type { NamespaceLabels } from './namespace-labels.ts'
import type { Policy, PolicyBook } from './policy/policy-book.ts'
import { type PolicySettings, settingsOfMode } from './policy/settings.ts'

/** An object that a scope covers, and the user as whom the server acts on it. */
export interface CoveredObject {
  readonly ref: ResourceRef
  readonly object: KubernetesObject
  readonly actor: UserInfo
}

/** A set of objects that is checked together: those of one policy, or those that set `lifecycle.sync` themselves. */
export interface SyncScope {
  readonly cluster: string
  readonly settings: PolicySettings
  /** Upper bound of the objects that `pages` walks over. */
  count(): Promise<number>
  /** Walks over the objects that the scope holds for. A page also counts the objects that were passed over. */
  pages(): AsyncGenerator<ScopePage>
}

export interface ScopePage {
  readonly walked: number
  readonly covered: readonly CoveredObject[]
  /** Objects that the policy matches, and that an older policy holds for. */
  readonly conflicts: ReadonlySet<string>
}

type ScopeParts = Pick<EngineParts, 'objects' | 'estate' | 'kinds'>

/** The objects that a policy holds for: those it matches, without those of a policy or a spec that comes before it. */
export class PolicyScope implements SyncScope {
  readonly cluster: string
  readonly settings: PolicySettings
  readonly #parts: ScopeParts
  readonly #book: PolicyBook
  readonly #labels: NamespaceLabels
  readonly #policy: Policy

  constructor(parts: ScopeParts, book: PolicyBook, labels: NamespaceLabels, policy: Policy) {
    this.cluster = policy.location.cluster
    this.settings = policy.settings
    this.#parts = parts
    this.#book = book
    this.#labels = labels
    this.#policy = policy
  }

  async count(): Promise<number> {
    let count = 0
    for await (const range of this.#ranges()) count += await this.#parts.estate.count(range)
    return count
  }

  async *pages(): AsyncGenerator<ScopePage> {
    const { objects } = this.#parts
    for await (const range of this.#ranges()) {
      for await (const entries of objects.pages(range, { limit: pageSize, isLive: true })) {
        // A page is read when its turn comes, which may be long after the one before: it shows what is there then.
        yield await this.#pageOf(entries)
      }
    }
  }

  async *#ranges() {
    const { objects, kinds } = this.#parts
    const namespace = this.#policy.location.namespace || undefined
    for await (const { group, resource } of kindsInUse(objects, { cluster: this.cluster, namespace })) {
      const kind = kinds.at(this.cluster, group, resource)
      if (kind === undefined || kind.data) continue
      if (this.settings.kinds.size > 0 && !this.settings.kinds.has(kind.type)) continue
      yield objectRange({ group, resource }, this.cluster, namespace)
    }
  }

  async #pageOf(entries: Page['entries']): Promise<ScopePage> {
    const covered: CoveredObject[] = []
    const conflicts = new Set<string>()
    for (const { key, value } of entries) {
      const ref = objectFromKey(key) as ResourceRef
      const object = decodeObject(value)
      const first = await this.#firstFor(ref, object, conflicts)
      if (this.#isOwn(first)) covered.push({ ref, object, actor: actorOf(this.#policy, ref.namespace) })
    }
    return { walked: entries.length, covered, conflicts }
  }

  async #firstFor(ref: ResourceRef, object: KubernetesObject, conflicts: Set<string>): Promise<Policy | undefined> {
    if (syncModeOf(object) !== undefined) return undefined
    const { cluster, namespace } = ref
    const { type } = this.#parts.kinds.at(cluster, ref.group, ref.resource)!
    const synced = { cluster, namespace, type, labels: object.metadata?.labels ?? undefined }
    const [first, ...others] = this.#book.matching(synced, await this.#labels.of(cluster, namespace))
    if (!this.#isOwn(first) && others.some((each) => this.#isOwn(each))) conflicts.add(first!.location.name)
    return first
  }

  // The book holds a new Policy after each status write.
  #isOwn(policy: Policy | undefined): boolean {
    return policy?.object.metadata?.uid === this.#policy.object.metadata?.uid
  }
}

/** The objects of a logical cluster whose spec sets `lifecycle.sync` to one mode. */
export class LifecycleScope implements SyncScope {
  readonly cluster: string
  readonly settings: PolicySettings
  readonly #parts: ScopeParts

  constructor(parts: ScopeParts, cluster: string, mode: PolicySettings['mode']) {
    this.cluster = cluster
    this.settings = settingsOfMode(mode)
    this.#parts = parts
  }

  async count(): Promise<number> {
    let count = 0
    for await (const _ of this.#parts.estate.marks(this.cluster, 'synced')) count++
    return count
  }

  async *pages(): AsyncGenerator<ScopePage> {
    let refs: ResourceRef[] = []
    for await (const { ref } of this.#parts.estate.marks(this.cluster, 'synced')) {
      refs.push(ref)
      if (refs.length < pageSize) continue
      yield await this.#pageOf(refs)
      refs = []
    }
    if (refs.length > 0) yield await this.#pageOf(refs)
  }

  async #pageOf(refs: readonly ResourceRef[]): Promise<ScopePage> {
    const covered: CoveredObject[] = []
    for (const ref of refs) {
      const stored = await this.#parts.objects.get(ref, ref)
      const object = stored === undefined ? undefined : decodeObject(stored.bytes)
      if (object !== undefined && syncModeOf(object) === this.settings.mode)
        covered.push({ ref, object, actor: authorOf(object) })
    }
    return { walked: refs.length, covered, conflicts: new Set() }
  }
}

/** The user as whom the server acts for a policy in a namespace. */
export function actorOf({ object, settings: { serviceAccountName } }: Policy, namespace: string): UserInfo {
  if (serviceAccountName === undefined) return authorOf(object)
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return { name: `system:serviceaccount:${namespace}:${serviceAccountName}`, groups }
}

// So many real resources are read together: enough to batch calls, few enough to stop soon when the policy changes.
const pageSize = 250
