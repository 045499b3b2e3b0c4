import type { PlanChange, PlanPhase, PlanStatus, PlanSummary } from '@hykube/machinery/plan-api'
import { StatusError, statusFrom } from '@hykube/machinery/status'
import { Client, type Transport, type TransportRequest, type TransportResponse } from '@hykube/runtime/client'
import { apiResource, FakeApi, type FakeObject } from '@hykube/runtime/testing'
import type { Connection } from '../host/host.ts'

/** How the fake plans and applies. */
export interface FakeEstateOptions {
  readonly changes?: readonly PlanChange[]
  /** Statuses after the approval, one after the other; the last one stays. Default: Applied. */
  readonly applying?: readonly PlanStatus[]
  /** How planning ends. Default Planned, or NoChanges when there are none. */
  readonly planned?: PlanStatus
}

/** A server in memory that makes plans of the changes it was given. It knows the provider `sim`. */
export class FakeEstate {
  readonly api = new FakeApi({ resources: fakeResources })
  /** Every request for a subresource: `METHOD path body`. */
  readonly calls: string[] = []
  readonly #options: FakeEstateOptions
  #made = 0

  constructor(options: FakeEstateOptions = {}) {
    this.#options = options
  }

  connection(namespace = 'default'): Connection {
    return {
      client: new Client({ transport: this.transport, fieldManager: 'hykube' }),
      namespace,
      ownNamespace: 'default',
      server: 'https://fake:6443',
      context: 'fake',
      certificateEnd: () => undefined,
      close: () => {},
    }
  }

  readonly transport: Transport = async (request) => {
    const special = this.#special(request)
    if (special !== undefined) return special
    const response = await this.api.transport(request)
    if (request.method === 'POST' && /\/plans$/.test(request.path) && response.status === 201)
      setImmediate(() => this.#plan())
    if (request.method === 'PATCH' && /\/providers\/[^/]+$/.test(request.path))
      this.#install(request.path.split('/').at(-1)!)
    return response
  }

  /** Writes the status of a plan, as the server does. */
  setStatus(name: string, status: PlanStatus, annotations: Readonly<Record<string, string>> = {}): void {
    const { place, object } = this.#plans().find(({ object }) => object.metadata.name === name)!
    this.api.store.update(place, { ...object, metadata: { ...object.metadata, annotations }, status })
  }

  #special(request: TransportRequest): TransportResponse | undefined {
    const { path, method } = request
    if (path === '/version') return answer(200, { gitVersion: 'v1.36.0+hykube-0.1.0', major: '1', minor: '36' })
    if (path.startsWith('/readyz')) return answer(200, {})
    if (path === '/apis/sim.hykube.io/v1' || path === '/apis/hykube.io/v1alpha1' || path === '/api/v1')
      return this.#legacy(path)
    const match = /\/(plans|sim-[a-z]+)\/([^/]+)\/(changes|json|approval|cancel|instances|undelete|resolve)$/.exec(path)
    if (match === null) return undefined
    const body = request.body === undefined ? '' : new TextDecoder().decode(request.body)
    this.calls.push(`${method} ${path} ${body}`.trim())
    try {
      return this.#subresource(match[2]!, match[3]!, request, body)
    } catch (error) {
      const failure = StatusError.from(error)
      return answer(failure.code, statusFrom(failure))
    }
  }

  #subresource(name: string, subresource: string, { query }: TransportRequest, body: string): TransportResponse {
    const changes = this.#options.changes ?? []
    switch (subresource) {
      case 'changes': {
        const params = new URLSearchParams(query)
        const from = Number(params.get('continue') ?? 0)
        const to = from + Number(params.get('limit') ?? changes.length)
        const more = to < changes.length ? { continue: String(to) } : {}
        return answer(200, { kind: 'PlanChangeList', metadata: more, items: changes.slice(from, to) })
      }
      case 'json':
        return answer(200, { format_version: '1.2', resource_changes: changes })
      case 'approval':
        setImmediate(() => this.#apply(name, JSON.parse(body) as { decision: string }))
        return answer(200, {})
      case 'cancel':
        setImmediate(() => this.setStatus(name, { phase: 'Canceled' }))
        return answer(200, {})
      case 'instances':
        return answer(200, {
          items: [0, 1].map((index) => ({
            index,
            address: `sim_instance.${name}[${index}]`,
            attributes: { id: `i-${index}` },
            conditions: [{ type: 'Ready', status: 'True', reason: 'Applied' }],
          })),
        })
      default:
        return answer(200, {})
    }
  }

  #plan(): void {
    const found = this.#plans()[this.#made++]
    if (found === undefined) return
    const { changes = [], planned } = this.#options
    const summary = Object.fromEntries(
      [...Map.groupBy(changes, ({ action }) => action)].map(([action, all]) => [action, all.length]),
    ) as PlanSummary
    this.setStatus(found.object.metadata.name!, { phase: 'Planning' })
    this.setStatus(found.object.metadata.name!, {
      phase: phaseAfterPlanning(changes),
      summary,
      ...planned,
    })
  }

  #apply(name: string, { decision }: { decision: string }): void {
    if (decision === 'Rejected') {
      this.setStatus(name, { phase: 'Rejected' })
      return
    }
    const { applying = [{ phase: 'Applied' as const, outcome: { added: 1, changed: 0, destroyed: 0 } }] } =
      this.#options
    for (const status of applying) this.setStatus(name, status)
  }

  #plans(): { place: Parameters<FakeApi['store']['get']>[0]; object: FakeObject }[] {
    return [...this.api.store.all()]
      .filter(({ place }) => place.resource === 'plans')
      .sort((a, b) => Number(a.object.metadata.uid?.slice(4)) - Number(b.object.metadata.uid?.slice(4)))
  }

  #install(name: string): void {
    const place = { cluster: 'root', group: 'hykube.io', resource: 'providers', namespace: '', name }
    const object = this.api.store.get(place)
    const { generation = 0 } = object.metadata
    const conditions = ['Installed', 'Ready'].map((type) => ({
      ...{ type, status: 'True', reason: 'Done', message: '', observedGeneration: generation },
    }))
    this.api.store.update(place, { ...object, status: { conditions, lock: { version: '0.1.0' } } })
  }

  #legacy(path: string): TransportResponse {
    const group = path === '/api/v1' ? '' : path.split('/')[2]!
    const resources = fakeResources
      .filter((each) => each.group === group)
      .map(({ resource, singular, kind, namespaced, verbs }) => ({
        name: resource,
        singularName: singular,
        kind,
        namespaced,
        verbs,
      }))
    return answer(200, { kind: 'APIResourceList', resources })
  }
}

const fakeResources = [
  apiResource('v1', 'namespaces', 'Namespace', false),
  apiResource('v1', 'configmaps', 'ConfigMap'),
  apiResource('hykube.io/v1alpha1', 'plans', 'Plan'),
  apiResource('hykube.io/v1alpha1', 'providers', 'Provider', false),
  apiResource('hykube.io/v1alpha1', 'syncpolicies', 'SyncPolicy'),
  apiResource('hykube.io/v1alpha1', 'clustersyncpolicies', 'ClusterSyncPolicy', false),
  { ...apiResource('sim.hykube.io/v1', 'sim-networks', 'SimNetwork'), singular: 'sim-network' },
  { ...apiResource('sim.hykube.io/v1', 'sim-subnets', 'SimSubnet'), singular: 'sim-subnet' },
  { ...apiResource('sim.hykube.io/v1', 'sim-instances', 'SimInstance'), singular: 'sim-instance' },
]

function answer(status: number, document: object): TransportResponse {
  return { status, headers: {}, body: once(JSON.stringify(document)) }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

function phaseAfterPlanning(changes: readonly PlanChange[]): PlanPhase {
  if (changes.length === 0) return 'NoChanges'
  return changes.every(({ action }) => action === 'blocked') ? 'Blocked' : 'Planned'
}
