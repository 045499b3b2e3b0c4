import { type Clock, systemClock } from '@hykube/machinery/base'
import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import {
  clusterAnnotation,
  foregroundFinalizer,
  type KubernetesObject,
  orphanFinalizer,
} from '@hykube/machinery/object'
import { applyJsonPatch, applyMergePatch } from '@hykube/machinery/patch'
import { conflict, StatusError, statusFrom } from '@hykube/machinery/status'
import { Client } from '../client.ts'
import type { ApiResource } from '../discovery.ts'
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts'
import { type FakeRequest, fakeRequestFrom } from './fake-request.ts'
import { commonResources } from './fake-resources.ts'
import { selectionFrom } from './fake-selection.ts'
import { type FakeObject, FakeStore } from './fake-store.ts'
import { FakeWatch } from './fake-watch.ts'

/** The configuration of a fake API. */
export interface FakeApiOptions {
  /** The resources in discovery. Default {@link commonResources}. */
  readonly resources?: readonly ApiResource[]
  /** Group versions that discovery reports as stale. Default none. */
  readonly stale?: readonly string[]
  /** Default: the system clock. */
  readonly clock?: Clock
}

/** Injects a failure before a request is processed; undefined processes the request. */
export type FakeFault = (request: FakeRequest) => StatusError | undefined

/**
 * An in-memory Kubernetes API for tests of clients and controllers: revisions, conflicts, finalizers, selectors, paging,
 * watches that resume or expire, logical clusters. It does not validate or default objects.
 */
export class FakeApi {
  readonly store: FakeStore
  /** All resource requests so far, as `METHOD path`. */
  readonly requests: string[] = []
  /** The open watches. */
  readonly watches = new Set<FakeWatch>()
  /** Called before each request. */
  fault: FakeFault = () => undefined
  readonly #options: FakeApiOptions

  constructor(options: FakeApiOptions = {}) {
    this.#options = options
    this.store = new FakeStore(() => (options.clock ?? systemClock).now())
  }

  client(cluster?: string): Client {
    return new Client({ transport: this.transport, cluster })
  }

  readonly transport: Transport = async (request) => {
    try {
      return await this.#answer(request)
    } catch (error) {
      const failure = StatusError.from(error)
      return answer(failure.code, statusFrom(failure))
    }
  }

  async #answer(sent: TransportRequest): Promise<TransportResponse> {
    // A response never arrives synchronously, as over a network.
    await Promise.resolve()
    const request = fakeRequestFrom(sent)
    if (request === undefined) return this.#discovery(sent.path)
    this.requests.push(`${sent.method} ${sent.path}`)
    const failure = this.fault(request)
    if (failure !== undefined) throw failure
    switch (request.method) {
      case 'GET':
        return this.#read(request)
      case 'POST':
        return answer(201, this.store.create({ ...request, name: nameOf(request.body) }, request.body))
      case 'PUT':
        return answer(200, this.store.update(request, this.#merged(request, request.body)))
      case 'PATCH':
        return answer(200, this.#patch(request))
      case 'DELETE':
        return request.name === '' ? this.#deleteCollection(request) : answer(200, this.#delete(request))
      default:
        return request.method satisfies never
    }
  }

  #read(request: FakeRequest): TransportResponse {
    const { query } = request
    if (request.name !== '') return answer(200, show(request, this.store.get(request), request.cluster))
    return query.get('watch') === 'true' ? this.#watch(request) : this.#list(request)
  }

  #list(request: FakeRequest): TransportResponse {
    const { query } = request
    const all = this.store.select(request, selectionFrom(query))
    const [revision, from] = (query.get('continue') ?? `${this.store.revision}/0`).split('/').map(Number) as [
      number,
      number,
    ]
    this.store.changesAfter(query.has('continue') ? revision : this.store.revision)
    const to = from + Number(query.get('limit') ?? all.length)
    const items = all.slice(from, to).map(({ object, place }) => show(request, object, place.cluster))
    const more = to < all.length ? { continue: `${revision}/${to}` } : {}
    return answer(200, {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(revision), ...more },
      items,
    })
  }

  #watch(request: FakeRequest): TransportResponse {
    const revision = request.query.get('resourceVersion')
    const after = revision === null || revision === '0' ? undefined : Number(revision)
    const watching = {
      at: request,
      selection: selectionFrom(request.query),
      after,
      show: (object: object, cluster: string) => show(request, object as FakeObject, cluster),
    }
    const watch = new FakeWatch(this.store, watching, request.signal)
    this.watches.add(watch)
    return { status: 200, headers: {}, body: closing(watch, () => this.watches.delete(watch)) }
  }

  #patch(request: FakeRequest): KubernetesObject {
    const { contentType, body } = request
    const before = this.store.find(request)
    if (contentType.startsWith('application/apply-patch') && before === undefined)
      return this.store.create(request, body)
    const current = this.store.get(request) as unknown as JsonObject
    const patched = contentType.startsWith('application/json-patch')
      ? applyJsonPatch(current, body as JsonValue)
      : applyMergePatch(current, body as JsonValue)
    return this.store.update(request, this.#merged(request, patched as KubernetesObject))
  }

  // Status can be changed through its subresource only.
  #merged({ subresource, ...place }: FakeRequest, object: KubernetesObject): KubernetesObject {
    const current = this.store.get(place)
    const metadata = object.metadata ?? {}
    if (subresource === 'status') {
      const { resourceVersion, uid } = metadata
      return {
        ...current,
        status: object.status,
        metadata: { ...current.metadata, ...defined({ resourceVersion, uid }) },
      }
    }
    return 'status' in current ? { ...object, status: current.status } : object
  }

  #delete(request: FakeRequest): KubernetesObject {
    const { propagationPolicy, preconditions } = request.body as {
      propagationPolicy?: string
      preconditions?: { uid?: string; resourceVersion?: string }
    }
    const { metadata } = this.store.get(request)
    for (const field of ['uid', 'resourceVersion'] as const)
      if (preconditions?.[field] !== undefined && preconditions[field] !== metadata[field])
        throw conflict(request, request.name, `Precondition failed: ${field}`)
    return this.store.remove(request, finalizers[propagationPolicy ?? ''])
  }

  #deleteCollection(request: FakeRequest): TransportResponse {
    const chosen = this.store.select(request, selectionFrom(request.query))
    const items = chosen.map(({ place }) => this.store.remove(place))
    return answer(200, { kind: 'List', apiVersion: 'v1', metadata: {}, items })
  }

  #discovery(path: string): TransportResponse {
    const core = path.endsWith('/api')
    const { resources = commonResources, stale = [] } = this.#options
    const rows = resources.filter(({ group }) => (group === '') === core)
    const items = [...Map.groupBy(rows, ({ group }) => group)].map(([name, members]) => ({
      metadata: { name },
      versions: [...Map.groupBy(members, ({ version }) => version)].map(([version, each]) => ({
        version,
        freshness: stale.includes(`${name}/${version}`) ? 'Stale' : 'Current',
        resources: each.map(discoveryRow),
      })),
    }))
    return answer(200, { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items })
  }
}

const finalizers: Readonly<Record<string, string>> = { Foreground: foregroundFinalizer, Orphan: orphanFinalizer }

function discoveryRow({ group, version, resource, kind, namespaced, verbs, subresources }: ApiResource) {
  return {
    resource,
    responseKind: { group, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    verbs,
    subresources: subresources.map((subresource) => ({ subresource })),
  }
}

function show({ cluster, metadataOnly }: FakeRequest, object: FakeObject, from: string): KubernetesObject {
  const { metadata } = object
  const shown =
    cluster === '*' ? { ...metadata, annotations: { ...metadata.annotations, [clusterAnnotation]: from } } : metadata
  if (!metadataOnly) return { ...object, metadata: shown }
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: shown }
}

function nameOf(object: KubernetesObject): string {
  return object.metadata?.name ?? `${object.metadata?.generateName ?? ''}${Math.random().toString(36).slice(2, 7)}`
}

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

function answer(status: number, document: object): TransportResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: once(JSON.stringify(document)) }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function* closing(watch: FakeWatch, closed: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* watch
  } finally {
    closed()
  }
}
