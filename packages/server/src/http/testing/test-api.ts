import { type Clock, systemClock } from '@hykube/machinery/base'
import { AdmissionChain, type AdmissionPlugin } from '../../admission/index.ts'
import { alwaysAllow } from '../../auth/index.ts'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { ObjectStore, TypeRegistry, WatchHub } from '../../resource/index.ts'
import type { Api } from '../api.ts'
import { Discovery } from '../discovery/discovery.ts'
import { BodyBudget } from '../flow-control/body-budget.ts'
import { FairSeats } from '../flow-control/fair-seats.ts'
import type { Handler, Peer, Response } from '../front/index.ts'
import { NamespaceGuard } from '../namespace-guard.ts'
import { OpenApiDocuments } from '../openapi/open-api-documents.ts'
import { type EndpointHandlers, ResourceHandler } from '../resource-handler.ts'
import { json } from '../respond.ts'
import { createService } from '../service.ts'
import { subresourceEndpoints } from '../subresources/index.ts'
import { versionInfo } from '../version.ts'

/** A test's request. */
export interface TestRequest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A response: parsed JSON, the bytes of protobuf, or text. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Response['headers']
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly document: any
}

/** The whole API over a store, without sockets and with every request authorized. */
export class TestApi {
  readonly api: Api
  /** Handler of all requests, for tests that add a socket. */
  readonly handler: Handler
  readonly #peer: Peer = { address: 'test', certificate: undefined }

  private constructor(api: Api, endpoints: EndpointHandlers) {
    this.api = api
    const resources = new ResourceHandler(api, new Map([...subresourceEndpoints(api), ...endpoints]))
    const discovery = new Discovery(api.types)
    const openApi = new OpenApiDocuments(api.types, { version: 'test' })
    this.handler = createService({
      authenticator: { authenticate: async () => ({ user: { name: 'tester', groups: ['system:authenticated'] } }) },
      localUsers: new Map(),
      authorizer: api.authorizer,
      hasCluster: (name) => name === 'root' || name === 'other',
      resources,
      paths: [
        (context) => discovery.answer(context),
        (context) => openApi.answer(context),
        ({ path }) => (path.path === '/version' ? json(200, versionInfo('test')) : undefined),
      ],
      seats: new FairSeats({ waitingPerUser: 100_000 }),
      bodies: new BodyBudget({ bodiesPerUser: 100_000, bodies: 100_000 }),
      // An internal error is a bug and fails the test; 503 and 504 are valid responses.
      onInternalError: (error) => {
        if (error.code === 500) throw error
      },
    })
  }

  static async open(
    store: ConstructorParameters<typeof ObjectStore>[0],
    plugins: readonly AdmissionPlugin[] = [],
    clock: Clock = systemClock,
  ): Promise<TestApi> {
    const objects = new ObjectStore(store)
    const hub = await WatchHub.open(store)
    const types = new TypeRegistry()
    types.serveEverywhere(builtInResourceTypes())
    const namespaces = new NamespaceGuard(objects, hub)
    const api = {
      objects,
      hub,
      types,
      namespaces,
      admission: new AdmissionChain(plugins),
      authorizer: alwaysAllow,
      clock,
    }
    return TestApi.over(api)
  }

  /** Creates the API from a test's own parts. */
  static async over(api: Api, endpoints: EndpointHandlers = new Map()): Promise<TestApi> {
    const test = new TestApi(api, endpoints)
    for (const name of ['default', 'other']) await test.post('/api/v1/namespaces', { metadata: { name } })
    return test
  }

  get(path: string, request: TestRequest = {}): Promise<TestAnswer> {
    return this.send('GET', path, request)
  }

  post(path: string, body: unknown): Promise<TestAnswer> {
    return this.send('POST', path, { body })
  }

  put(path: string, body: unknown): Promise<TestAnswer> {
    return this.send('PUT', path, { body })
  }

  patch(
    path: string,
    body: unknown,
    type: 'json' | 'merge' | 'strategic-merge' | 'apply' = 'merge',
  ): Promise<TestAnswer> {
    const contentType = type === 'apply' ? 'application/apply-patch+yaml' : `application/${type}-patch+json`
    return this.send('PATCH', path, { body, headers: { 'content-type': contentType } })
  }

  delete(path: string, body?: unknown): Promise<TestAnswer> {
    return this.send('DELETE', path, { body })
  }

  /** Sends a request and reads its whole response. */
  async send(method: string, path: string, request: TestRequest = {}): Promise<TestAnswer> {
    const response = await this.ask(method, path, request)
    const chunks: Uint8Array[] = []
    if (response.body instanceof Uint8Array) chunks.push(response.body)
    else
      await response.body({
        signal: request.signal ?? never,
        pending: 0,
        write: async (chunk) => void chunks.push(chunk),
      })
    const bytes = Buffer.concat(chunks)
    const { status, headers } = response
    return { status, headers, document: documentFrom(String(headers['content-type']), bytes) }
  }

  /** Opens a watch; `next` returns its events in order. */
  async watch(path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestWatch> {
    const controller = new AbortController()
    const response = await this.ask('GET', path, { signal: controller.signal, headers })
    return new TestWatch(response, controller)
  }

  /** Sends a request and returns the response unread. */
  ask(method: string, path: string, { body, headers = {}, signal = never }: TestRequest): Promise<Response> {
    const [route = '', query = ''] = path.split('?')
    const bytes = bytesOf(body)
    const all: Readonly<Record<string, string>> = { 'user-agent': 'tester/1.0', ...headers }
    return this.handler({
      method,
      path: route,
      query,
      header: (name) => (all[name] === undefined ? [] : [all[name]]),
      headerNames: () => Object.keys(all),
      body: async () => bytes,
      signal,
      isDisconnected: false,
      peer: this.#peer,
    })
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array(0)
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function documentFrom(contentType: string, bytes: Buffer): unknown {
  if (contentType.includes('protobuf')) return bytes
  return contentType.startsWith('application/json') ? JSON.parse(bytes.toString()) : bytes.toString()
}

export interface TestEvent {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every kind
  readonly object: any
}

/** A watch that a test reads event by event. */
export class TestWatch {
  readonly ended: Promise<void>
  readonly #controller: AbortController
  readonly #events: TestEvent[] = []
  #wake: () => void = () => {}
  #over = false

  constructor({ body }: Response, controller: AbortController) {
    this.#controller = controller
    if (body instanceof Uint8Array) throw new Error(`not a watch: ${Buffer.from(body).toString()}`)
    this.ended = body({ signal: controller.signal, pending: 0, write: async (chunk) => this.#take(chunk) }).finally(
      () => {
        this.#over = true
        this.#wake()
      },
    )
  }

  /** Returns the next event, or undefined after the end of the stream. */
  async next(): Promise<TestEvent | undefined> {
    while (this.#events.length === 0 && !this.#over) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#events.shift()
  }

  async stop(): Promise<void> {
    this.#controller.abort()
    await this.ended
  }

  #take(chunk: Uint8Array): void {
    for (const line of Buffer.from(chunk).toString().split('\n'))
      if (line !== '') this.#events.push(JSON.parse(line) as TestEvent)
    this.#wake()
  }
}

const never = new AbortController().signal
