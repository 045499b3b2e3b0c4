import type { KubernetesObject, ObjectMeta } from '@hykube/machinery/object'
import { type Discovered, discover } from './discovery.ts'
import { failureFromAnswer } from './failure.ts'
import {
  type DeleteOptions,
  type ListOptions,
  type ObjectForm,
  type Patch,
  queryFrom,
  type RequestOptions,
  type SelectOptions,
  type WatchOptions,
  type WriteOptions,
} from './options.ts'
import { describePlace, type ObjectAt, type ResourceAt, resourcePath } from './resource-path.ts'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { eventsFrom, type WatchEvent } from './watch-stream.ts'

/** The configuration of a client. */
export interface ClientOptions {
  readonly transport: Transport
  /** The logical cluster of requests that name none. Default: chosen by the server. */
  readonly cluster?: string | undefined
  /** The manager recorded in managedFields. Default: the server derives it from the user agent. */
  readonly fieldManager?: string | undefined
  /** Default `hykube-runtime`. */
  readonly userAgent?: string | undefined
}

/** A page of a list. */
export interface ObjectList<T extends KubernetesObject = KubernetesObject> {
  readonly metadata: {
    readonly resourceVersion?: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  readonly items: readonly T[]
}

/** An object from the server, which always has metadata. */
export type Stored<T extends KubernetesObject = KubernetesObject> = T & { readonly metadata: ObjectMeta }

/**
 * A client of a Kubernetes API. Each method sends one request, and rejects with a StatusError that has the server's reason
 * and code. The client has no cache, does not retry, and can be used concurrently.
 */
export class Client {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Returns the same client for another logical cluster; `*` means all of them, for list and watch. */
  in(cluster: string): Client {
    return new Client({ ...this.#options, cluster })
  }

  get<T extends KubernetesObject = KubernetesObject>(at: ObjectAt, options: RequestOptions = {}): Promise<Stored<T>> {
    return this.#json('get', at, { method: 'GET' }, options)
  }

  /** Returns the object, or undefined when the server answers 404. */
  async find<T extends KubernetesObject = KubernetesObject>(
    at: ObjectAt,
    options: RequestOptions = {},
  ): Promise<Stored<T> | undefined> {
    const response = await this.#send(at, { method: 'GET' }, options)
    if (response.status !== 404) return documentFrom<Stored<T>>(`get ${describePlace(at)}`, response)
    await textOf(response)
    return undefined
  }

  list<T extends KubernetesObject = KubernetesObject>(
    at: ResourceAt,
    options: ListOptions = {},
  ): Promise<ObjectList<T>> {
    const { limit, continue: token, resourceVersion, resourceVersionMatch } = options
    const query = queryFrom({ ...selection(options), limit, continue: token, resourceVersion, resourceVersionMatch })
    return this.#json('list', at, { method: 'GET', query }, options, listAccept)
  }

  /** Yields a list page by page, all at one revision. Default limit 500. */
  async *pages<T extends KubernetesObject = KubernetesObject>(
    at: ResourceAt,
    options: ListOptions = {},
  ): AsyncGenerator<ObjectList<T>> {
    let page = await this.list<T>(at, { limit: 500, ...options })
    for (;;) {
      yield page
      const token = page.metadata.continue
      if (token === undefined || token === '') return
      // The continue token carries the revision; servers reject a resourceVersion next to it.
      const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options
      page = await this.list<T>(at, { limit: 500, ...rest, continue: token })
    }
  }

  create<T extends KubernetesObject = KubernetesObject>(
    at: ResourceAt & Partial<ObjectAt>,
    object: object,
    options: WriteOptions = {},
  ): Promise<Stored<T>> {
    return this.#write('create', at, 'POST', 'application/json', object, options)
  }

  update<T extends KubernetesObject = KubernetesObject>(
    at: ObjectAt,
    object: object,
    options: WriteOptions = {},
  ): Promise<Stored<T>> {
    return this.#write('update', at, 'PUT', 'application/json', object, options)
  }

  updateStatus<T extends KubernetesObject = KubernetesObject>(
    at: ObjectAt,
    object: object,
    options: WriteOptions = {},
  ): Promise<Stored<T>> {
    return this.update({ ...at, subresource: 'status' }, object, options)
  }

  patch<T extends KubernetesObject = KubernetesObject>(
    at: ObjectAt,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<Stored<T>> {
    const force = patch.kind === 'apply' ? patch.force : undefined
    return this.#write('patch', at, 'PATCH', patchTypes[patch.kind], bodyOf(patch), options, { force })
  }

  /** Deletes an object. Resolves with the object when finalizers block it or its kind returns it, else with a Status. */
  delete(at: ObjectAt, options: DeleteOptions = {}): Promise<KubernetesObject> {
    return this.#json('delete', at, { method: 'DELETE', ...deleteBody(options) }, options)
  }

  /** Deletes the selected objects. The response is discarded, because it may contain all of them. */
  async deleteCollection(at: ResourceAt, options: DeleteOptions & SelectOptions = {}): Promise<void> {
    const request = { method: 'DELETE', query: queryFrom(selection(options)), ...deleteBody(options) } as const
    const response = await this.#send(at, request, options)
    if (response.status >= 400) await documentFrom(`delete all ${describePlace(at)}`, response)
    else for await (const _ of response.body);
  }

  /** Yields the events of a resource until the server ends the stream or the signal aborts. It does not reconnect. */
  async *watch<T extends KubernetesObject = KubernetesObject>(
    at: ResourceAt,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<Stored<T>>> {
    const { resourceVersion, allowWatchBookmarks = true, timeoutSeconds, sendInitialEvents } = options
    const resourceVersionMatch = sendInitialEvents === undefined ? undefined : 'NotOlderThan'
    const query = queryFrom({
      watch: true,
      ...selection(options),
      ...{ resourceVersion, allowWatchBookmarks, timeoutSeconds, sendInitialEvents, resourceVersionMatch },
    })
    const response = await this.#send(at, { method: 'GET', query }, options)
    if (response.status >= 400) await documentFrom(`watch ${describePlace(at)}`, response)
    yield* eventsFrom<Stored<T>>(response.body)
  }

  /** Returns all resources of the server, and the groups whose discovery failed. */
  discover(signal?: AbortSignal): Promise<Discovered> {
    return discover((path, accept) =>
      this.raw<object>({ method: 'GET', path, headers: { accept }, ...(signal && { signal }) }),
    )
  }

  /** Sends any request in the client's cluster and parses the response as JSON. */
  async raw<T>(request: TransportRequest): Promise<T> {
    return JSON.parse(await this.rawText(request)) as T
  }

  /** Sends any request and returns the text, for documents with numbers that JSON.parse would round. */
  async rawText(request: TransportRequest): Promise<string> {
    return answerFrom(`${request.method} ${request.path}`, await this.#raw(request))
  }

  /** Sends any request and yields the bytes of the response as they arrive. */
  async *rawBytes(request: TransportRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const response = await this.#raw(request)
    if (response.status >= 400) await answerFrom(`${request.method} ${request.path}`, response)
    yield* response.body
  }

  #raw(request: TransportRequest): Promise<TransportResponse> {
    const { cluster, transport } = this.#options
    const path = cluster === undefined ? request.path : `/clusters/${encodeURIComponent(cluster)}${request.path}`
    return transport({ ...request, path, headers: { ...this.#headers(), ...request.headers } })
  }

  async #write<T>(
    verb: string,
    at: ResourceAt & Partial<ObjectAt>,
    method: 'POST' | 'PUT' | 'PATCH',
    contentType: string,
    document: object,
    options: WriteOptions,
    more: { readonly force?: boolean | undefined } = {},
  ): Promise<T> {
    const { fieldManager = this.#options.fieldManager, fieldValidation, dryRun } = options
    const query = queryFrom({ fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined, ...more })
    const headers = { 'content-type': contentType }
    return this.#json(verb, at, { method, query, headers, body: encode(document) }, options)
  }

  async #json<T>(
    verb: string,
    at: ResourceAt & Partial<ObjectAt>,
    request: Omit<TransportRequest, 'path'>,
    options: RequestOptions,
    accepts: Readonly<Record<ObjectForm, string>> = objectAccept,
  ): Promise<T> {
    return documentFrom<T>(`${verb} ${describePlace(at)}`, await this.#send(at, request, options, accepts))
  }

  #send(
    at: ResourceAt & Partial<ObjectAt>,
    request: Omit<TransportRequest, 'path'>,
    { signal, form = 'object' }: RequestOptions,
    accepts: Readonly<Record<ObjectForm, string>> = objectAccept,
  ): Promise<TransportResponse> {
    const { cluster, transport } = this.#options
    const path = resourcePath({ ...at, cluster: at.cluster ?? cluster })
    const headers = { ...this.#headers(), accept: accepts[form], ...request.headers }
    return transport({ ...request, path, headers, ...(signal === undefined ? {} : { signal }) })
  }

  #headers(): Record<string, string> {
    return { accept: 'application/json', 'user-agent': this.#options.userAgent ?? 'hykube-runtime' }
  }
}

const objectAccept = {
  object: 'application/json',
  metadata: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
}

const listAccept = {
  object: 'application/json',
  metadata: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
}

function bodyOf(patch: Patch): object {
  switch (patch.kind) {
    case 'json':
      return patch.operations
    case 'apply':
      return patch.object
    case 'merge':
    case 'strategic':
      return patch.patch
    default:
      return patch satisfies never
  }
}

function selection({ labelSelector, fieldSelector }: SelectOptions) {
  return { labelSelector, fieldSelector }
}

function deleteBody({ propagationPolicy, gracePeriodSeconds, preconditions, dryRun }: DeleteOptions) {
  const given = { propagationPolicy, gracePeriodSeconds, preconditions, ...(dryRun ? { dryRun: ['All'] } : {}) }
  if (Object.values(given).every((value) => value === undefined)) return {}
  const body = encode({ kind: 'DeleteOptions', apiVersion: 'v1', ...given })
  return { body, headers: { 'content-type': 'application/json' } }
}

function encode(document: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document))
}

async function documentFrom<T>(attempt: string, response: TransportResponse): Promise<T> {
  return JSON.parse(await answerFrom(attempt, response)) as T
}

async function answerFrom(attempt: string, response: TransportResponse): Promise<string> {
  const text = await textOf(response)
  if (response.status >= 400) throw failureFromAnswer(attempt, response.status, text)
  return text
}

async function textOf({ body }: TransportResponse): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
