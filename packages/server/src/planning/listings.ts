import type { PlannerPorts, ProviderAccess } from '../evaluation/index.ts'
import type { InstanceState, ResourceKind, ResourceObject } from '../model/index.ts'
import { canonicalText, normaliseBlocks } from '../terraform/index.ts'

/**
 * Replaces single reads with one list call for providers that can list a type but can't batch reads. A listing only confirms: a resource that
 * it shows exactly as stored needn't be read; any other is read as usual.
 */
export class Listings {
  readonly #ports: Pick<PlannerPorts, 'hash' | 'countStates'>
  readonly #most: number
  readonly #listings = new Map<ProviderAccess, Map<string, Listing>>()

  /** `most` limits the resources of a listing, which are held in memory as hashes. */
  constructor(ports: Pick<PlannerPorts, 'hash' | 'countStates'>, most = Number.POSITIVE_INFINITY) {
    this.#ports = ports
    this.#most = most
  }

  /** True when a listing shows a resource exactly as stored. The first reads of a type aren't worth a listing. */
  async confirms(access: ProviderAccess, { kind, ref }: Pick<ResourceObject, 'kind' | 'ref'>, state: InstanceState) {
    if (state.identity === undefined || state.identity === null) return false
    const listing = this.#listingOf(access, kind)
    if (++listing.asked <= fewest) return false
    listing.listed ??= this.#list(access, kind, ref.cluster)
    const listed = await listing.listed
    return listed.size > 0 && listed.has(this.#shown(state.identity, state.value))
  }

  #listingOf(access: ProviderAccess, { type }: ResourceKind): Listing {
    const types = this.#listings.get(access) ?? new Map<string, Listing>()
    this.#listings.set(access, types)
    const listing = types.get(type) ?? { asked: 0 }
    types.set(type, listing)
    return listing
  }

  async #list(access: ProviderAccess, kind: ResourceKind, cluster: string): Promise<ReadonlySet<string>> {
    const limit = Math.min(this.#most, mostForEach * (await this.#ports.countStates(cluster, kind)))
    const shown = new Set<string>()
    try {
      await access.use(async (session) => {
        if (session.batchesReads?.(kind.type) === true) return
        for await (const { identity, resourceObject } of (await session.list?.(kind.type, limit)) ?? [])
          if (identity != null && resourceObject != null)
            shown.add(this.#shown(identity, normaliseBlocks(kind.schema, resourceObject)))
      })
    } catch {
      // The objects listed so far are still valid. Everything else is read, and a persistent error shows there.
    }
    return shown
  }

  #shown(identity: Parameters<typeof canonicalText>[0], value: Parameters<typeof canonicalText>[0]): string {
    return this.#ports.hash(`${canonicalText(identity)} ${canonicalText(value)}`)
  }
}

/** The listing of one type by a configured provider. */
interface Listing {
  asked: number
  /** Hashes of the listed identities and values; empty when there is no listing. */
  listed?: Promise<ReadonlySet<string>>
}

// Single reads of a type before it is listed.
const fewest = 200

// The listing is limited to this many resources per stored one. If the provider has many more, single reads are cheaper.
const mostForEach = 4
