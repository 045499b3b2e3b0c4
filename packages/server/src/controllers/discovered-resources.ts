import type { Clock } from '@hykube/machinery/base'
import { BoundedMap } from '@hykube/machinery/base'
import { groupVersionToText } from '@hykube/machinery/object'
import type { ApiResource, Client } from '@hykube/runtime/client'

/**
 * Discovery cache per logical cluster, by resource and kind. An entry is kept for 30 seconds, and refreshed much
 * earlier when a lookup finds nothing, because kinds come and go while the server runs.
 */
export class DiscoveredResources {
  readonly #clientFor: (cluster: string) => Client
  readonly #clock: Clock
  readonly #snapshots = new BoundedMap<string, Promise<Snapshot>>(100)

  constructor(clientFor: (cluster: string) => Client, clock: Clock) {
    this.#clientFor = clientFor
    this.#clock = clock
  }

  /** Returns a resource in its group's preferred version; undefined when the cluster does not serve it. */
  byResource(cluster: string, group: string, resource: string): Promise<ApiResource | undefined> {
    return this.#find(cluster, ({ byResource }) => byResource.get(`${group}/${resource}`))
  }

  /** Returns the resource of a kind; undefined when the cluster does not serve it. */
  byKind(cluster: string, apiVersion: string, kind: string): Promise<ApiResource | undefined> {
    return this.#find(cluster, ({ byKind }) => byKind.get(`${apiVersion} ${kind}`))
  }

  async #find<T>(cluster: string, look: (snapshot: Snapshot) => T | undefined): Promise<T | undefined> {
    const snapshot = await this.#snapshot(cluster)
    const age = this.#clock.monotonic() - snapshot.made
    const found = look(snapshot)
    if (age < (found === undefined ? missingLifetime : foundLifetime)) return found
    this.#snapshots.delete(cluster)
    return look(await this.#snapshot(cluster))
  }

  #snapshot(cluster: string): Promise<Snapshot> {
    let snapshot = this.#snapshots.get(cluster)
    if (snapshot === undefined) {
      snapshot = this.#make(cluster)
      this.#snapshots.set(cluster, snapshot)
      snapshot.catch(() => this.#snapshots.delete(cluster))
    }
    return snapshot
  }

  async #make(cluster: string): Promise<Snapshot> {
    const { resources } = await this.#clientFor(cluster).discover()
    const byResource = new Map<string, ApiResource>()
    const byKind = new Map<string, ApiResource>()
    for (const each of resources) {
      const name = `${each.group}/${each.resource}`
      if (!byResource.has(name) || each.preferred) byResource.set(name, each)
      byKind.set(`${groupVersionToText(each)} ${each.kind}`, each)
    }
    return { made: this.#clock.monotonic(), byResource, byKind }
  }
}

interface Snapshot {
  readonly made: number
  readonly byResource: ReadonlyMap<string, ApiResource>
  readonly byKind: ReadonlyMap<string, ApiResource>
}

/** Milliseconds that a cached result is valid after a successful and after an unsuccessful lookup. */
const foundLifetime = 30_000
const missingLifetime = 500
