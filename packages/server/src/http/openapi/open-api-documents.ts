import { BoundedMap, type Clock, systemClock } from '@hykube/machinery/base'
import type { TypeRegistry } from '../../resource/index.ts'
import type { RequestContext } from '../context.ts'
import type { Response, ResponseHeaders } from '../front/index.ts'
import type { OtherPath } from '../request-path.ts'
import { jsonBytes } from '../respond.ts'
import { type DocumentPart, jsonDocument } from './document.ts'
import { DocumentCache } from './document-cache.ts'
import { type DocumentForm, documentForm } from './form.ts'
import type { GnosticMessage } from './gnostic/message.ts'
import { documentV2 } from './gnostic/openapi-v2-messages.ts'
import { documentV3 } from './gnostic/openapi-v3-messages.ts'
import { protobufDocument } from './gnostic/protobuf-document.ts'
import { openApiV2 } from './openapi-v2.ts'
import { openApiV3 } from './openapi-v3.ts'
import { hashOf, type ServedVersion, servedVersions } from './served-versions.ts'

export interface OpenApiOptions {
  /** The API version in documents. */
  readonly version: string
  /** Maximum bytes of cached documents. Default 64 MiB. */
  readonly cacheBytes?: number
  /** Default: the system clock. */
  readonly clock?: Clock
}

/**
 * The OpenAPI documents of every logical cluster. Documents are built on demand and cached by hash: clusters with the
 * same types share them, and a change of one group-version does not affect others.
 */
export class OpenApiDocuments {
  readonly #types: TypeRegistry
  readonly #version: string
  readonly #clock: Clock
  readonly #cache: DocumentCache
  readonly #clusters = new BoundedMap<string, ClusterVersions>(100)

  constructor(types: TypeRegistry, { version, cacheBytes = 64 << 20, clock = systemClock }: OpenApiOptions) {
    this.#types = types
    this.#version = version
    this.#clock = clock
    this.#cache = new DocumentCache(cacheBytes)
  }

  /** Returns the response for an OpenAPI path, or undefined for other paths. */
  async answer(context: RequestContext<OtherPath>): Promise<Response | undefined> {
    const [root, version, ...rest] = context.path.segments
    const { method } = context.request
    if (root !== 'openapi' || (method !== 'GET' && method !== 'HEAD')) return undefined
    const cluster = this.#cluster(context.path.cluster)
    if (version === 'v2' && rest.length === 0) return this.#v2(context, cluster)
    if (version !== 'v3') return undefined
    if (rest.length === 0) return overview(context, cluster)
    const path = rest.join('/')
    const served = cluster.versions.get(path)
    return served === undefined ? undefined : this.#v3(context, path, served)
  }

  #v2(context: RequestContext<OtherPath>, { versions, hash }: ClusterVersions): Promise<Response> {
    const form = documentForm(acceptOf(context), 'v2')
    return this.#document(context, { hash, form, message: documentV2, headers: {} }, () =>
      openApiV2(
        [...versions.values()].map(({ types }) => types),
        this.#version,
      ),
    )
  }

  async #v3(context: RequestContext<OtherPath>, path: string, { types, hash }: ServedVersion): Promise<Response> {
    const form = documentForm(acceptOf(context), 'v3')
    const asked = context.query.get('hash') ?? ''
    if (asked !== '' && asked !== hash) return moved(documentUrl(context, path, hash))
    const headers = asked === '' ? {} : this.#immutable()
    return this.#document(context, { hash, form, message: documentV3, headers }, () => openApiV3(types, this.#version))
  }

  async #document(context: RequestContext, wanted: WantedDocument, describe: () => DocumentPart): Promise<Response> {
    const { form, message } = wanted
    // JSON and protobuf are two representations, so they need different strong ETags.
    const key = `${wanted.hash}${form.kind === 'json' ? '' : '.protobuf'}`
    const headers = { vary: 'Accept', etag: `"${key}"`, ...wanted.headers }
    if (isKnown(context, headers.etag)) return { status: 304, headers, body: noBytes }
    const body = await this.#cache.get(key, () =>
      form.kind === 'json' ? jsonDocument(describe()) : protobufDocument(describe(), message),
    )
    return { status: 200, headers: { ...headers, 'content-type': form.contentType }, body }
  }

  #immutable(): ResponseHeaders {
    const expires = new Date(this.#clock.now() + yearMilliseconds).toUTCString()
    return { 'cache-control': 'public, immutable', expires }
  }

  #cluster(name: string): ClusterVersions {
    const { version } = this.#types
    let known = this.#clusters.get(name)
    if (known?.registryVersion !== version) {
      known = clusterVersions(version, servedVersions(this.#types.types(name), this.#version))
      this.#clusters.set(name, known)
    }
    return known
  }
}

interface WantedDocument {
  readonly hash: string
  readonly form: DocumentForm
  readonly message: GnosticMessage
  readonly headers: ResponseHeaders
}

/** Served group-versions of a cluster, valid for one version of the type registry. */
interface ClusterVersions {
  readonly registryVersion: number
  readonly versions: ReadonlyMap<string, ServedVersion>
  readonly hash: string
}

const yearMilliseconds = 365 * 24 * 3600 * 1000
const noBytes = new Uint8Array(0)

function clusterVersions(registryVersion: number, versions: ReadonlyMap<string, ServedVersion>): ClusterVersions {
  return { registryVersion, versions, hash: hashOf([...versions.values()].map(({ hash }) => hash)) }
}

function overview(context: RequestContext<OtherPath>, { versions, hash }: ClusterVersions): Response {
  const headers = { etag: `"${hash}"`, vary: 'Accept' }
  if (isKnown(context, headers.etag)) return { status: 304, headers, body: noBytes }
  const paths = Object.fromEntries(
    [...versions].map(([path, served]) => [path, { serverRelativeURL: documentUrl(context, path, served.hash) }]),
  )
  return jsonBytes(200, Buffer.from(JSON.stringify({ paths })), headers)
}

// Keeps the request's path prefix, so that documents of a logical cluster have its URLs.
function documentUrl({ request }: RequestContext, path: string, hash: string): string {
  const prefix = request.path.slice(0, request.path.indexOf('/openapi/v3'))
  return `${prefix}/openapi/v3/${path}?hash=${hash}`
}

function moved(location: string): Response {
  return { status: 301, headers: { location, vary: 'Accept' }, body: noBytes }
}

function isKnown({ request }: RequestContext, etag: string): boolean {
  const tags = request.header('if-none-match').flatMap((header) => header.split(','))
  return tags.some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function acceptOf({ request }: RequestContext): string | undefined {
  const headers = request.header('accept')
  return headers.length === 0 ? undefined : headers.join(',')
}
