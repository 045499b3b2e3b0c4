import { join } from 'node:path'
import { type Clock, systemClock } from '@hykube/machinery/base'
import { AdmissionChain, namespaceLifecycle } from '../../admission/index.ts'
import { resourceEndpoints, stateEndpoints } from '../../adopting/index.ts'
import { type Authorizer, alwaysAllow } from '../../auth/index.ts'
import { Estate, EstateReader, estateIndex, estateSpaces, importClaims, keyedHash } from '../../estate/index.ts'
import { templateSyntax } from '../../expression/index.ts'
import { type Api, NamespaceGuard } from '../../http/index.ts'
import { TestApi } from '../../http/testing/index.ts'
import { builtInResourceTypes } from '../../kinds/index.ts'
import { Engine, type EngineParts, planEndpoints, planRules, planType, recoverOpenCalls } from '../../plans/index.ts'
import { kindsOf, providerConfigType, providerType, providerTypes } from '../../provider/index.ts'
import {
  configurationRules,
  deletedProviderRules,
  importRules,
  managedContentRules,
  movingRules,
  ProviderRuntime,
  ProviderUse,
  providerResolution,
  providerRowsType,
  repetitionRules,
  resourceRules,
  resourceType,
  ServedKinds,
  useRules,
} from '../../provider-kinds/index.ts'
import { claimIndex, ObjectStore, resourceSpaces, TypeRegistry, WatchHub } from '../../resource/index.ts'
import {
  keyRingRecordOf,
  keyRingSpace,
  masterKeyFromText,
  openMemoryStore,
  RingSealer,
  type Store,
} from '../../storage/index.ts'
import { allowing, policyTypes, Sync, SyncMetrics, syncRules } from '../../sync/index.ts'
import { InterceptedProviders } from './intercepted-providers.ts'
import type { TestSim } from './test-sim.ts'

export interface TestEngineOptions {
  /** The configuration of the Provider `sim`, over the shared world. */
  readonly config?: Readonly<Record<string, unknown>>
  readonly requireSecondApprover?: boolean
  /** Default: everything is allowed. */
  readonly authorizer?: Authorizer
  /** Wraps the in-memory store. */
  readonly wrapStore?: (store: Store) => Store
  readonly clock?: Clock
  /** The random number of jittered times. Default: 0.5, which is no jitter. */
  readonly random?: () => number
}

/** An in-memory server with one served Provider, `sim`. */
export class TestEngine {
  readonly api: TestApi
  readonly parts: EngineParts
  readonly providers: InterceptedProviders
  /** Errors of the background work. */
  readonly reports: string[]
  /** Installs a newer package of the provider with higher schema versions. */
  readonly upgrade: () => Promise<void>
  /** Installs another Provider with only these types. */
  readonly install: (name: string, types: readonly string[]) => Promise<void>
  readonly uninstall: (name: string) => Promise<void>
  readonly syncMetrics: SyncMetrics
  readonly #close: () => Promise<void>

  private constructor(
    api: TestApi,
    parts: EngineParts,
    providers: InterceptedProviders,
    reports: string[],
    syncMetrics: SyncMetrics,
    installing: Pick<TestEngine, 'upgrade' | 'install' | 'uninstall'>,
    close: () => Promise<void>,
  ) {
    this.api = api
    this.parts = parts
    this.providers = providers
    this.reports = reports
    this.syncMetrics = syncMetrics
    this.upgrade = installing.upgrade
    this.install = installing.install
    this.uninstall = installing.uninstall
    this.#close = close
  }

  static async open(sim: TestSim, options: TestEngineOptions = {}): Promise<TestEngine> {
    const { authorizer = alwaysAllow, clock = systemClock, wrapStore = (store) => store } = options
    const store = wrapStore(await openStore())
    const hub = await WatchHub.open(store)
    const kinds = new ServedKinds()
    const objects = new ObjectStore(store, [claimIndex(importClaims), estateIndex(kinds)])
    const estate = new Estate(store)
    const types = new TypeRegistry()
    const reports: string[] = []
    let installed = sim.package
    const hash = await keyedHash(store)
    const runtime = new ProviderRuntime({
      objects,
      hash,
      hub,
      processes: sim.processes,
      served: () => ({ package: installed, schema: sim.schema }),
      workDirectory: (_, provider, configuration) => join(sim.directory, 'work', provider, configuration || 'default'),
      defaults: () => ({ world: `sqlite:${sim.world}` }),
    })
    const providers = new InterceptedProviders(runtime)
    const reader = new EstateReader(kinds, objects, estate, providers, hash)
    const report = (message: string) => void reports.push(message)
    const endProcess = async () => {}
    const longestCall = 6 * 3_600_000
    const use = new ProviderUse(objects, authorizer)
    const parts: EngineParts = {
      objects,
      estate,
      hub,
      kinds,
      providers,
      reader,
      clock,
      report,
      endProcess,
      longestCall,
      refusesUse: (user, cluster, provider) => use.refusal(user, cluster, provider),
    }
    types.serveEverywhere(builtInResourceTypes())
    types.serveEverywhere([
      providerType(templateSyntax),
      providerConfigType(templateSyntax),
      planType(),
      ...policyTypes(clock),
      resourceType(kinds),
    ])
    serveSim(sim, types, kinds)
    const served: Api = {
      objects,
      hub,
      types,
      namespaces: new NamespaceGuard(objects, hub),
      admission: new AdmissionChain([
        namespaceLifecycle,
        useRules(use, kinds),
        planRules(authorizer, kinds, options.requireSecondApprover === true),
        syncRules(authorizer, kinds),
        providerResolution(kinds),
        configurationRules(reader, estate, authorizer),
        resourceRules(reader, estate, authorizer),
        managedContentRules(estate),
        deletedProviderRules(kinds),
        repetitionRules(reader, estate),
        importRules(reader, estate, authorizer),
        movingRules(reader, estate, objects, authorizer, clock),
      ]),
      authorizer: alwaysAllow,
      clock,
    }
    const api = await TestApi.over(
      served,
      new Map([
        ...planEndpoints({ parts, requiresSecondApprover: options.requireSecondApprover === true }),
        ...resourceEndpoints(parts, use),
        ...stateEndpoints({ ...served, authorizer }, parts, use),
      ]),
    )
    await api.post('/apis/hykube.io/v1alpha1/providers', {
      metadata: { name: 'sim' },
      spec: { source: 'hykube/sim', config: options.config ?? {} },
    })
    const engine = await Engine.open(parts)
    const metrics = new SyncMetrics()
    const sync = await Sync.open({
      ...parts,
      clusters: ['root'],
      demandsSecond: options.requireSecondApprover === true,
      allows: allowing(authorizer),
      random: options.random ?? (() => 0.5),
      metrics,
    })
    const upgrade = async () => {
      installed = { ...sim.package, hash: 'sim-2' }
      serveSim(sim, types, kinds, { newer: 1 })
      await objects.update(
        { group: 'hykube.io', resource: 'providers' },
        { cluster: 'root', namespace: '', name: 'sim' },
        (object) => ({
          ...object,
          status: { ...(object.status as object), lock: { version: '0.2.0', hashes: ['sim-2'] } },
        }),
      )
    }
    const install = async (name: string, own: readonly string[]) => {
      serveSim(sim, types, kinds, { provider: name, only: new Set(own) })
      await api.post('/apis/hykube.io/v1alpha1/providers', { metadata: { name }, spec: { source: 'hykube/sim' } })
    }
    const uninstall = async (name: string) => {
      kinds.serve('root', name, [])
      types.serve('root', name, [])
      await api.delete(`/apis/hykube.io/v1alpha1/providers/${name}`)
    }
    return new TestEngine(api, parts, providers, reports, metrics, { upgrade, install, uninstall }, async () => {
      await sync.close()
      await engine.close()
      runtime.close()
      await hub.close()
      await store.close()
    })
  }

  /** Recovers open calls of ended plans, like the regular background task. */
  recoverOpenCalls(): Promise<void> {
    return recoverOpenCalls(this.parts)
  }

  close(): Promise<void> {
    return this.#close()
  }
}

async function openStore(): Promise<Store> {
  const sealer = new RingSealer(masterKeyFromText(Buffer.alloc(32, 7).toString('base64'), 'a test'))
  const store = openMemoryStore({ spaces: [...resourceSpaces, ...estateSpaces, keyRingSpace], sealer })
  await sealer.attach(keyRingRecordOf(store))
  return store
}

interface ServedSim {
  readonly provider?: string
  /** The types that are served. Default: all of them. */
  readonly only?: ReadonlySet<string>
  readonly newer?: number
}

function serveSim(
  { schema }: TestSim,
  types: TypeRegistry,
  kinds: ServedKinds,
  { provider = 'sim', only, newer = 0 }: ServedSim = {},
): void {
  const resources = new Map([...schema.schema.resources].filter(([type]) => only?.has(type) ?? true))
  const dataSources = only === undefined ? schema.schema.dataSources : new Map()
  const own = { ...schema.schema, resources, dataSources }
  const all = kindsOf(provider, own)
  const listed = providerTypes({ provider, schema: own, schemaHash: 'sim', templates: templateSyntax })
  types.serve('root', provider, [...listed, providerRowsType(kinds, provider, listed) ?? []].flat())
  kinds.serve(
    'root',
    provider,
    all.map(({ mode, type, group, names, schema: of }) => {
      const identity = mode === 'managed' ? schema.identitySchemas.get(type) : undefined
      return {
        provider,
        type,
        data: mode === 'data',
        group,
        resource: names.plural,
        kind: names.kind,
        schema: { ...of, version: of.version + newer },
        ...(identity !== undefined && { identity }),
      }
    }),
  )
}
