import { type Clock, Mutex } from '@hykube/machinery/base'
import type { ProviderAccess, ProviderProblem } from '../evaluation/index.ts'
import { adoptableId, type KindCatalogue, type ResourceKind, type ResourceRef, refToText } from '../model/index.ts'
import { providerSource } from '../provider/index.ts'
import type { ObjectStore } from '../resource/index.ts'
import type { Range, Revision } from '../storage/index.ts'
import type { Estate } from './estate.ts'
import { importersOf } from './import-claims.ts'
import { stateRangeOfKind } from './records/state.ts'

/** The dependencies of IdHolders. */
export interface HolderParts {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly kinds: KindCatalogue
  readonly clock: Clock
  readonly provider: (
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
  ) => Promise<ProviderAccess | ProviderProblem>
}

/**
 * Finds the object of a logical cluster that manages a resource: the same id, type and provider source, and the same provider
 * configuration apart from credentials. The ids of a type are cached for ten seconds, because imports come in bulk; the check is
 * repeated when the plan is applied.
 */
export class IdHolders {
  readonly #parts: HolderParts
  readonly #taking = new Mutex()
  readonly #known = new Map<string, HeldIds>()

  constructor(parts: HolderParts) {
    this.#parts = parts
  }

  /** Returns another object that manages the resource with this id, unless it is accepted as a second holder. */
  async other(
    { ref, kind, configuration }: Configured,
    id: string,
    isAccepted: (holder: ResourceRef) => boolean = () => false,
  ): Promise<ResourceRef | undefined> {
    for (const each of await this.#kindsLike(ref.cluster, kind)) {
      const holders = await this.#holdersOf(ref.cluster, each)
      for (const holder of holders.get(id) ?? []) {
        if (refToText(holder.ref) === refToText(ref) || isAccepted(holder.ref)) continue
        if (!(await this.#stillHolds(holder, id))) continue
        if (await this.#isSameConfiguration({ ref, kind, configuration }, { ...holder, kind: each })) return holder.ref
      }
    }
    return undefined
  }

  /** Does the same, and reserves the id for this object when there is no other. Serialized, because several changes may import one id. */
  otherOrTake(taking: Configured, id: string): Promise<ResourceRef | undefined> {
    return this.#taking.run(async () => {
      const other = await this.other(taking, id)
      const { ref, kind, configuration } = taking
      const own = await this.#holdersOf(ref.cluster, kind)
      if (other === undefined) own.set(id, [...(own.get(id) ?? []), { ref, configuration, isTaking: true }])
      return other
    })
  }

  /** Returns another object that asks to import the resource with this id. */
  async importer(asking: Configured, id: string): Promise<ResourceRef | undefined> {
    const { cluster } = asking.ref
    for (const kind of await this.#kindsLike(cluster, asking.kind)) {
      const { group, resource } = kind
      for await (const { ref, configuration } of importersOf(this.#parts.objects, cluster, { group, resource }, id)) {
        if (refToText(ref) === refToText(asking.ref)) continue
        if (await this.#isSameConfiguration(asking, { ref, kind, configuration })) return ref
      }
    }
    return undefined
  }

  // The resource may have been destroyed or forgotten since the records were cached.
  async #stillHolds({ ref, isTaking }: Holder, id: string): Promise<boolean> {
    if (isTaking === true) return true
    const states = await this.#parts.estate.states(ref)
    return states.some(({ current, deposed }) =>
      [current, ...deposed].some((known) => known !== undefined && idOf(known.record) === id),
    )
  }

  async #kindsLike(cluster: string, kind: ResourceKind): Promise<readonly ResourceKind[]> {
    const { objects, kinds } = this.#parts
    const same = [...kinds.kinds(cluster)].filter((each) => each.type === kind.type && !each.data)
    if (same.length < 2) return same
    const source = await providerSource(objects, cluster, kind.provider)
    const sources = await Promise.all(same.map((each) => providerSource(objects, cluster, each.provider)))
    return same.filter((_, at) => sources[at] === source)
  }

  #holdersOf(cluster: string, { group, resource }: ResourceKind): Promise<Holders> {
    const text = `${cluster} ${group} ${resource}`
    const now = this.#parts.clock.now()
    let known = this.#known.get(text)
    if (known === undefined || now >= known.until) {
      known = new HeldIds(this.#parts.estate, stateRangeOfKind(group, resource, cluster), now + heldFor)
      this.#known.set(text, known)
    }
    return known.holders()
  }

  async #isSameConfiguration(a: Configured, b: Configured): Promise<boolean> {
    const { provider } = this.#parts
    const isSameName = a.configuration === b.configuration
    if (isSameName && a.kind === b.kind && (a.configuration === '' || a.ref.namespace === b.ref.namespace)) return true
    const [own, other] = [
      await provider(a.ref, a.kind, a.configuration),
      await provider(b.ref, b.kind, b.configuration),
    ]
    return !('problem' in own) && !('problem' in other) && own.settings === other.settings
  }
}

/** The objects that hold the ids of a type. A further read takes only the records that were written since the last one. */
class HeldIds {
  readonly until: number
  readonly #estate: Estate
  readonly #range: Range
  readonly #reading = new Mutex()
  readonly #holders: Holders = new Map()
  #count: number | undefined
  #since: Revision = 0

  constructor(estate: Estate, range: Range, until: number) {
    this.#estate = estate
    this.#range = range
    this.until = until
  }

  /** Concurrent calls share one read. Records that were deleted since may still be listed. */
  holders(): Promise<Holders> {
    return this.#reading.run(async () => {
      const count = await this.#estate.count(this.#range)
      if (count !== this.#count) await this.#read()
      this.#count = count
      return this.#holders
    })
  }

  async #read(): Promise<void> {
    const now = await this.#estate.now()
    for await (const { ref, slot, record } of this.#estate.statesSince(this.#range, this.#since)) {
      const id = slot === 'observed' ? undefined : idOf(record)
      if (id !== undefined) this.#add(id, { ref, configuration: record.configuration })
    }
    this.#since = now
  }

  #add(id: string, holder: Holder): void {
    const others = this.#holders.get(id) ?? []
    const text = refToText(holder.ref)
    this.#holders.set(id, [...others.filter((other) => refToText(other.ref) !== text), holder])
  }
}

/** Returns the id of a resource among those of its type; undefined when it has none. */
export function idOf({
  attributes,
  identity,
}: {
  attributes: string
  identity?: { json: string }
}): string | undefined {
  const values = JSON.parse(attributes) as Readonly<Record<string, unknown>> | null
  return values === null ? undefined : adoptableId(values, identity?.json)
}

/** An object with the configuration of its provider. */
export interface Configured {
  readonly ref: ResourceRef
  readonly kind: ResourceKind
  readonly configuration: string
}

interface Holder {
  readonly ref: ResourceRef
  readonly configuration: string
  readonly isTaking?: true
}

type Holders = Map<string, readonly Holder[]>

// Milliseconds for which the records of a type are cached.
const heldFor = 10_000
