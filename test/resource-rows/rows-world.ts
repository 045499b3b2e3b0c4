import { systemClock } from '@hykube/machinery/base'
import { addressToText, type KubernetesObject } from '@hykube/machinery/object'
import { AdmissionChain } from '@hykube/server/admission'
import { alwaysAllow, createRbacAuthorizer, type PolicyRule, RbacIndex } from '@hykube/server/auth'
import { NamespaceGuard } from '@hykube/server/http'
import { TestApi } from '@hykube/server/http/testing'
import { builtInResourceTypes } from '@hykube/server/kinds'
import { kindsOf, type ProviderKind, providerTypes } from '@hykube/server/provider'
import { blockOf, plain, plainTemplates, providerOf } from '@hykube/server/provider/testing'
import { providerRowsType, resourceType, ServedKinds } from '@hykube/server/provider-kinds'
import { ObjectStore, TypeRegistry, WatchHub } from '@hykube/server/resource'
import { openTestStore, type TestStore } from '@hykube/server/resource/testing'
import { stringType } from '@hykube/tfplugin/value'

export const namespaces = ['n1', 'n2', 'n3'] as const
export const clusters = ['root', 'other'] as const

const block = blockOf([plain('name', stringType)])

/** The providers of the test. `net_a` is a type of two of them. */
export const providers = {
  a: providerOf({ net_a: block, a_disk: block }, { a_image: block }),
  b: providerOf({ net_a: block, b_zone: block }),
} as const

/** A condition's status by the field that selects it. */
export type Conditions = Readonly<Record<'ready' | 'applied' | 'drifted' | 'stalled', string>>

/** An API over a memory store with objects of several providers, logical clusters, and users with roles. */
export class RowsWorld {
  readonly api: TestApi
  readonly objects: CountedObjects
  readonly rbac: RbacIndex
  readonly kinds: readonly ProviderKind[]
  readonly #store: TestStore
  readonly #served: ServedKinds
  readonly #types: TypeRegistry
  /** How often permissions have changed. */
  grants = 0
  #markers = 0

  private constructor(
    store: TestStore,
    api: TestApi,
    objects: CountedObjects,
    rbac: RbacIndex,
    served: ServedKinds,
    types: TypeRegistry,
  ) {
    this.api = api
    this.objects = objects
    this.rbac = rbac
    this.#store = store
    this.#served = served
    this.#types = types
    this.kinds = Object.entries(providers).flatMap(([name, schema]) => kindsOf(name, schema))
  }

  /** `isOpen`: every user may do everything. */
  static async open(isOpen = false): Promise<RowsWorld> {
    const store = await openTestStore()
    const objects = new CountedObjects(store.store)
    const hub = await WatchHub.open(store.store)
    const rbac = new RbacIndex()
    const types = new TypeRegistry()
    const served = new ServedKinds()
    types.serveEverywhere([...builtInResourceTypes(), resourceType(served)])
    for (const cluster of clusters) {
      const everything = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }]
      rbac.put(cluster, 'ClusterRole', '', 'all', { rules: everything })
      rbac.put(cluster, 'ClusterRoleBinding', '', 'all', bindingOf('ClusterRole', 'all', 'tester'))
    }
    const api = await TestApi.over({
      objects,
      hub,
      types,
      namespaces: new NamespaceGuard(objects, hub),
      admission: new AdmissionChain([]),
      authorizer: isOpen ? alwaysAllow : createRbacAuthorizer(rbac),
      clock: systemClock,
    })
    const world = new RowsWorld(store, api, objects, rbac, served, types)
    for (const cluster of clusters) for (const name of Object.keys(providers)) world.serve(cluster, name as 'a' | 'b')
    return world
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /** Serves the kinds of a provider in a cluster. */
  serve(cluster: string, provider: keyof typeof providers): void {
    const schema = providers[provider]
    const own = providerTypes({ provider, schema, schemaHash: 'h', templates: plainTemplates })
    this.#types.serve(cluster, provider, [...own, providerRowsType(this.#served, provider, own)!])
    this.#served.serve(
      cluster,
      provider,
      kindsOf(provider, schema).map(({ type, mode, group, names, schema: its }) => ({
        ...{ provider, type, group, schema: its },
        data: mode === 'data',
        resource: names.plural,
        kind: names.kind,
      })),
    )
  }

  /** Stops to serve the kinds of a provider. */
  remove(cluster: string, provider: string): void {
    this.#types.serve(cluster, provider, [])
    this.#served.serve(cluster, provider, [])
  }

  /** Writes an object, or deletes it when `facts` is undefined. */
  async write(
    cluster: string,
    kind: ProviderKind,
    namespace: string,
    name: string,
    facts: { readonly labels: Readonly<Record<string, string>>; readonly conditions: Conditions } | undefined,
  ): Promise<void> {
    const resource = { group: kind.group, resource: kind.names.plural }
    const place = { cluster, namespace, name }
    const before = await this.objects.get(resource, place)
    if (before === undefined && facts === undefined) return
    const after = facts && objectOf(kind, namespace, name, facts)
    await this.objects.change([{ resource, place, before, after, final: objectOf(kind, namespace, name, none) }])
  }

  /** Gives a user rules in a namespace, or in the whole cluster for ''. Counts as a write, as those of roles do. */
  async grant(user: string, rules: readonly PolicyRule[], namespace = '', cluster = 'root'): Promise<string> {
    const name = `grant-${this.grants++}`
    const revision = await this.#nextRevision()
    const kind = namespace === '' ? 'ClusterRole' : 'Role'
    this.rbac.put(cluster, kind, namespace, name, { rules }, revision)
    this.rbac.put(cluster, `${kind}Binding`, namespace, name, bindingOf(kind, name, user), revision)
    return name
  }

  /** Takes back what `grant` gave. */
  async revoke(name: string, namespace = '', cluster = 'root'): Promise<void> {
    const revision = await this.#nextRevision()
    this.grants++
    this.rbac.remove(cluster, namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding', namespace, name, revision)
  }

  /** Resolves when watches can have everything that is written. */
  async settle(): Promise<void> {
    const { hub } = this.api.api
    const until = await this.objects.now()
    while (hub.revision < until) await new Promise((resolve) => setImmediate(resolve))
  }

  async #nextRevision(): Promise<number> {
    const place = { cluster: 'root', namespace: '', name: `revision-${this.#markers++}` }
    const after = { apiVersion: 'v1', kind: 'Marker', metadata: { name: place.name } }
    const outcome = await this.objects.change([
      { resource: { group: 'test', resource: 'markers' }, place, before: undefined, after },
    ])
    return outcome.kind === 'committed' ? outcome.revision : 0
  }
}

class CountedObjects extends ObjectStore {
  readonly reads = { scans: 0, entries: 0 }

  override async scan(...args: Parameters<ObjectStore['scan']>): ReturnType<ObjectStore['scan']> {
    const page = await super.scan(...args)
    this.reads.scans++
    this.reads.entries += page.entries.length
    return page
  }
}

const none = { labels: {}, conditions: { ready: 'False', applied: 'False', drifted: 'False', stalled: 'False' } }

/** The name of the row of an object. */
export function rowNameOf({ provider, mode, type }: ProviderKind, name: string): string {
  return addressToText({ ...(type === 'net_a' && { provider }), data: mode === 'data', type, name })
}

function objectOf(
  kind: ProviderKind,
  namespace: string,
  name: string,
  { labels, conditions }: { readonly labels: Readonly<Record<string, string>>; readonly conditions: Conditions },
): KubernetesObject {
  return {
    apiVersion: `${kind.group}/v1`,
    kind: kind.names.kind,
    metadata: {
      name,
      namespace,
      uid: `uid-${kind.type}-${namespace}-${name}`,
      labels,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {},
    status: {
      conditions: Object.entries(conditions).map(([field, status]) => ({
        type: `${field[0]!.toUpperCase()}${field.slice(1)}`,
        status,
        reason: 'Test',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  }
}

function bindingOf(kind: string, name: string, user: string): object {
  const apiGroup = 'rbac.authorization.k8s.io'
  return { roleRef: { apiGroup, kind, name }, subjects: [{ kind: 'User', apiGroup, name: user }] }
}
