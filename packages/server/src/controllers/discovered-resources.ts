import type { Clock } from '@hykube/machinery/base'
import { groupVersionToText } from '@hykube/machinery/object'
import type { ApiResource, Client } from '@hykube/runtime/client'

/**
 * What each logical cluster serves, looked up by resource or kind. A picture is kept for a short while, and made anew at
 * once when something is not in it: kinds come and go while the server runs.
 */
export class DiscoveredResources {
  readonly #clientFor: (cluster: string) => Client
  readonly #clock: Clock
  readonly #pictures = new Map<string, Promise<Picture>>()

  constructor(clientFor: (cluster: string) => Client, clock: Clock) {
    this.#clientFor = clientFor
    this.#clock = clock
  }

  /** A resource in the version that its group prefers; undefined when the cluster has no such. */
  byResource(cluster: string, group: string, resource: string): Promise<ApiResource | undefined> {
    return this.#find(cluster, ({ byResource }) => byResource.get(`${group}/${resource}`))
  }

  /** The resource of a kind; undefined when the cluster has no such. */
  byKind(cluster: string, apiVersion: string, kind: string): Promise<ApiResource | undefined> {
    return this.#find(cluster, ({ byKind }) => byKind.get(`${apiVersion} ${kind}`))
  }

  async #find<T>(cluster: string, look: (picture: Picture) => T | undefined): Promise<T | undefined> {
    const picture = await this.#picture(cluster)
    const age = this.#clock.monotonic() - picture.made
    const found = look(picture)
    if (age < (found === undefined ? shortest : longest)) return found
    this.#pictures.delete(cluster)
    return look(await this.#picture(cluster))
  }

  #picture(cluster: string): Promise<Picture> {
    let picture = this.#pictures.get(cluster)
    if (picture === undefined) {
      if (this.#pictures.size >= maximumPictures) this.#pictures.clear()
      picture = this.#make(cluster)
      this.#pictures.set(cluster, picture)
      picture.catch(() => this.#pictures.delete(cluster))
    }
    return picture
  }

  async #make(cluster: string): Promise<Picture> {
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

interface Picture {
  readonly made: number
  readonly byResource: ReadonlyMap<string, ApiResource>
  readonly byKind: ReadonlyMap<string, ApiResource>
}

/** How long a picture is believed that has what is looked for, and one that has not, in milliseconds. */
const longest = 30_000
const shortest = 500

const maximumPictures = 100
