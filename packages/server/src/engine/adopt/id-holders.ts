import { type Clock, Mutex } from '@hykube/machinery/base'
import { adoptableId } from '../../apply/index.ts'
import { type Estate, stateRangeOfKind } from '../../estate/index.ts'
import {
  type NodeKind,
  type NodePlace,
  nodeToText,
  type ProviderAccess,
  type ProviderProblem,
} from '../../plan/index.ts'
import type { ObjectStore } from '../../resource/index.ts'
import type { ServedKinds } from '../kind-catalogue.ts'
import { providerSource } from '../provider-source.ts'

/** What finding holders needs. */
export interface HolderParts {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly kinds: ServedKinds
  readonly clock: Clock
  readonly provider: (
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
  ) => Promise<ProviderAccess | ProviderProblem>
}

/**
 * Finds the object of a logical cluster to which something outside belongs already: the same id, of the same type of the same provider
 * source, with the same configuration, credentials excluded. The records of a type are read once for many questions, since imports
 * come in bulk: what was applied since is found when the plan is applied.
 */
export class IdHolders {
  readonly #parts: HolderParts
  readonly #taking = new Mutex()
  readonly #known = new Map<
    string,
    { readonly holders: Promise<Holders>; readonly count: number; readonly until: number }
  >()

  constructor(parts: HolderParts) {
    this.#parts = parts
  }

  /** Another object than this one that holds an id. */
  async other({ place, kind, configuration }: Configured, id: string): Promise<NodePlace | undefined> {
    for (const each of await this.#kindsLike(place.cluster, kind)) {
      const holders = await this.#holdersOf(place.cluster, each)
      for (const holder of holders.get(id) ?? []) {
        if (nodeToText(holder.place) === nodeToText(place) || !(await this.#stillHolds(holder, id))) continue
        if (await this.#isSameConfiguration({ place, kind, configuration }, { ...holder, kind: each }))
          return holder.place
      }
    }
    return undefined
  }

  /** The same; where there is none, this object holds the id from now on. One at a time, since several may want it at once. */
  otherOrTake(taking: Configured, id: string): Promise<NodePlace | undefined> {
    return this.#taking.run(async () => {
      const other = await this.other(taking, id)
      const { place, kind, configuration } = taking
      const own = await this.#holdersOf(place.cluster, kind)
      if (other === undefined) own.set(id, [...(own.get(id) ?? []), { place, configuration, isTaking: true }])
      return other
    })
  }

  // What was destroyed or forgotten since the records were read is free.
  async #stillHolds({ place, isTaking }: Holder, id: string): Promise<boolean> {
    if (isTaking === true) return true
    const states = await this.#parts.estate.states(place)
    return states.some(({ current, deposed }) =>
      [current, ...deposed].some((known) => known !== undefined && idOf(known.record) === id),
    )
  }

  async #kindsLike(cluster: string, kind: NodeKind): Promise<readonly NodeKind[]> {
    const { objects, kinds } = this.#parts
    const same = [...kinds.kinds(cluster)].filter((each) => each.type === kind.type && !each.data)
    if (same.length < 2) return same
    const source = await providerSource(objects, cluster, kind.provider)
    const sources = await Promise.all(same.map((each) => providerSource(objects, cluster, each.provider)))
    return same.filter((_, at) => sources[at] === source)
  }

  async #holdersOf(cluster: string, kind: NodeKind): Promise<Holders> {
    const text = `${cluster} ${kind.group} ${kind.resource}`
    const now = this.#parts.clock.now()
    const count = await this.#parts.estate.count(stateRangeOfKind(kind.group, kind.resource, cluster))
    const known = this.#known.get(text)
    if (known !== undefined && now < known.until && known.count === count) return known.holders
    const holders = this.#read(cluster, kind)
    this.#known.set(text, { holders, count, until: now + heldFor })
    return holders
  }

  async #read(cluster: string, { group, resource }: NodeKind): Promise<Holders> {
    const holders: Holders = new Map()
    for await (const { node, slot, record } of this.#parts.estate.statesIn(
      stateRangeOfKind(group, resource, cluster),
    )) {
      const id = slot === 'observed' ? undefined : idOf(record)
      if (id === undefined) continue
      holders.set(id, [...(holders.get(id) ?? []), { place: node, configuration: record.configuration }])
    }
    return holders
  }

  async #isSameConfiguration(a: Configured, b: Configured): Promise<boolean> {
    const { provider } = this.#parts
    const isSameName = a.configuration === b.configuration
    if (isSameName && a.kind === b.kind && (a.configuration === '' || a.place.namespace === b.place.namespace))
      return true
    const [own, other] = [
      await provider(a.place, a.kind, a.configuration),
      await provider(b.place, b.kind, b.configuration),
    ]
    return !('problem' in own) && !('problem' in other) && own.epoch === other.epoch
  }
}

/** By which id something outside is told apart from others of its type. */
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
  readonly place: NodePlace
  readonly kind: NodeKind
  readonly configuration: string
}

interface Holder {
  readonly place: NodePlace
  readonly configuration: string
  readonly isTaking?: true
}

type Holders = Map<string, readonly Holder[]>

const heldFor = 10_000
