import { createHash } from 'node:crypto'
import { BoundedMap } from '@hykube/machinery/base'
import { encodeJson, type JsonValue } from '@hykube/machinery/json'
import type { TypeRegistry } from '../../resource/index.ts'
import type { RequestContext } from '../context.ts'
import type { Response } from '../front/index.ts'
import { negotiate } from '../negotiation.ts'
import { acceptOf } from '../presentation/form.ts'
import type { OtherPath } from '../request-path.ts'
import { unknownResource } from '../resource-handler.ts'
import { json } from '../respond.ts'
import { aggregatedDiscovery } from './aggregated.ts'
import { coreVersions, groupDocument, groupList, resourceList } from './legacy.ts'
import { type ServedGroup, servedGroups } from './served-groups.ts'

/** Serves discovery documents. They are built on demand and cached until the served types change. */
export class Discovery {
  readonly #types: TypeRegistry
  readonly #clusters = new BoundedMap<string, ClusterDiscovery>(100)

  constructor(types: TypeRegistry) {
    this.#types = types
  }

  /** Returns the response for a discovery path, or undefined for other paths. */
  answer(context: RequestContext<OtherPath>): Response | undefined {
    const { cluster, segments } = context.path
    const [root, group, version, ...rest] = segments
    if ((root !== 'api' && root !== 'apis') || rest.length > 0) return undefined
    const served = this.#served(cluster)
    if (root === 'api') return this.#core(context, served, group, version)
    if (group === undefined)
      return this.#overview(
        context,
        served,
        served.groups.filter(({ name }) => name !== ''),
      )
    const found = served.groups.find(({ name }) => name === group && name !== '')
    if (found === undefined) return undefined
    return version === undefined ? json(200, groupDocument(found)) : versionDocument(found, version)
  }

  #core(
    context: RequestContext<OtherPath>,
    served: ClusterDiscovery,
    version: string | undefined,
    more: string | undefined,
  ): Response | undefined {
    const core = served.groups.find(({ name }) => name === '')
    if (version === undefined) return this.#overview(context, served, core === undefined ? [] : [core])
    return more === undefined && core !== undefined ? versionDocument(core, version) : undefined
  }

  #overview(context: RequestContext<OtherPath>, served: ClusterDiscovery, groups: readonly ServedGroup[]): Response {
    const form = negotiate(acceptOf(context), { media: ['json'], transformations: discoveryForms })
    const vary = { vary: 'Accept' }
    if (form.as === undefined) {
      const core = context.path.segments[0] === 'api'
      const address = context.request.header(':authority')[0] ?? context.request.header('host')[0] ?? ''
      return json(200, core ? coreVersions(groups[0], address) : groupList(groups), vary)
    }
    const { version } = form.as
    const { bytes, etag } = served.aggregated(`${context.path.segments[0]} ${version}`, () =>
      aggregatedDiscovery(groups, version),
    )
    const headers = { ...vary, etag, 'cache-control': 'public' }
    if (context.request.header('if-none-match').includes(etag)) return { status: 304, headers, body: new Uint8Array(0) }
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
    return { status: 200, headers: { ...headers, 'content-type': contentType }, body: bytes }
  }

  #served(cluster: string): ClusterDiscovery {
    const { version } = this.#types
    let served = this.#clusters.get(cluster)
    if (served?.version !== version) {
      served = new ClusterDiscovery(version, servedGroups(this.#types.types(cluster)))
      this.#clusters.set(cluster, served)
    }
    return served
  }
}

const discoveryForms = [{ kind: 'APIGroupDiscoveryList', group: 'apidiscovery.k8s.io', versions: ['v2', 'v2beta1'] }]

class ClusterDiscovery {
  readonly version: number
  readonly groups: readonly ServedGroup[]
  readonly #documents = new Map<string, { readonly bytes: Uint8Array; readonly etag: string }>()

  constructor(version: number, groups: readonly ServedGroup[]) {
    this.version = version
    this.groups = groups
  }

  aggregated(name: string, make: () => unknown): { readonly bytes: Uint8Array; readonly etag: string } {
    let document = this.#documents.get(name)
    if (document === undefined) {
      const bytes = encodeJson(make() as JsonValue)
      document = { bytes, etag: `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"` }
      this.#documents.set(name, document)
    }
    return document
  }
}

function versionDocument(group: ServedGroup, version: string): Response {
  const found = group.versions.find((each) => each.version === version)
  return found === undefined ? unknownResource(group.name) : json(200, resourceList(group.name, found))
}
