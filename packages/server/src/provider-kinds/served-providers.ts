import type { Clock } from '@hykube/machinery/base'
import { messageOf } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import type { Schema } from '@hykube/tfplugin/schema'
import { customResourceTypes, definitionFrom } from '../crd/index.ts'
import type { Estate } from '../estate/index.ts'
import type { ProviderProblem } from '../evaluation/index.ts'
import { templateSyntax } from '../expression/index.ts'
import type { ResourceKind } from '../model/index.ts'
import {
  type InstalledPackage,
  InstallFailure,
  kindsOf,
  type PackageSchema,
  type ProviderInstaller,
  type ProviderKind,
  type ProviderObject,
  type ProviderProcesses,
  providerTypes,
  servedNames,
  typeOfStub,
} from '../provider/index.ts'
import {
  decodeObject,
  type ObjectLocation,
  type ObjectStore,
  type ObservedChange,
  objectFromKey,
  objectRange,
  type TypeRegistry,
  type WatchHub,
} from '../resource/index.ts'
import type { ListedKind, ServedKinds } from './kind-catalogue.ts'
import { removeStubs, type StoredStub, stubsOf, writeStubs } from './kind-stubs.ts'
import { ProviderDeletions } from './provider-deletions.ts'
import { providerOwner, type ServedProvider } from './provider-runtime.ts'
import { providerResource, writeProviderStatus } from './provider-status.ts'
import { providerRowsType } from './rows/resource-type.ts'

export interface ServedProvidersOptions {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly hub: WatchHub
  readonly types: TypeRegistry
  readonly kinds: ServedKinds
  readonly installer: ProviderInstaller
  readonly processes: ProviderProcesses
  readonly clock: Clock
  /** Called after an operation that left much garbage, such as reading a large schema. */
  readonly giveBackMemory: () => void
  /** Reports an error of the background work. */
  readonly report: (message: string) => void
}

/**
 * Installs Providers and serves their kinds. It watches the store: installs a new or changed Provider, and stops serving the kinds of a
 * removed one. Every server on a store does this.
 */
export class ServedProviders {
  readonly #options: ServedProvidersOptions
  readonly #served = new Map<string, Served>()
  readonly #wanted = new Map<string, Wanted>()
  readonly #work = new Map<string, Promise<void>>()
  readonly #deletions: ProviderDeletions
  readonly #stopping = new AbortController()
  readonly #stopListening: () => void

  private constructor(options: ServedProvidersOptions) {
    this.#options = options
    this.#deletions = new ProviderDeletions(options)
    this.#stopListening = options.hub.listen((changes) => this.#follow(changes))
  }

  /** Starts with the stored Providers, waits at most five seconds for them, and then watches for changes. */
  static async open(options: ServedProvidersOptions): Promise<ServedProviders> {
    const providers = new ServedProviders(options)
    const range = objectRange(providerResource)
    for await (const entries of options.objects.pages(range)) {
      for (const { key, value } of entries) providers.#take(objectFromKey(key), decodeObject(value))
    }
    await Promise.race([Promise.all(providers.#work.values()), options.clock.sleep(longestStart)])
    return providers
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#stopping.abort(new Error('the server is stopping'))
    await Promise.all([...this.#work.values(), this.#deletions.close()])
  }

  /** Finds a served Provider, or returns why it isn't served. */
  find(cluster: string, provider: string): ServedProvider | ProviderProblem {
    const key = keyOf({ cluster, namespace: '', name: provider })
    const problem = this.#wanted.get(key)?.problem
    return (
      this.#served.get(key) ?? {
        problem:
          problem ?? `Provider ${JSON.stringify(provider)} is not ready: see kubectl describe provider ${provider}`,
      }
    )
  }

  #follow(changes: readonly ObservedChange[]): void {
    for (const change of changes) {
      const { group, resource } = change.place
      if (group !== providerResource.group || resource !== providerResource.resource) continue
      if (change.kind === 'put') this.#take(change.place, change.object)
      else this.#drop(change.place)
    }
  }

  #take({ cluster, namespace, name }: ObjectLocation, object: KubernetesObject): void {
    const place = { cluster, namespace, name }
    const key = keyOf(place)
    const isDeleting = object.metadata?.deletionTimestamp != null
    this.#options.kinds.setDeleting(cluster, name, isDeleting)
    if (isDeleting) this.#deletions.take(place, object.metadata?.uid ?? '')
    const installationKey = installationKeyOf(object as ProviderObject)
    const known = this.#wanted.get(key)
    const lock = (object as ProviderObject).status?.lock
    // Removing the lock of a Provider whose installation failed retries the installation without the lock.
    const isUnlocked = known?.problem !== undefined && known.isLocked && lock === undefined
    const generation = object.metadata?.generation
    if (known?.installationKey === installationKey && !isUnlocked) {
      // Clients that wait for a condition compare observedGeneration, so it is updated even when nothing has to be installed.
      if (known.generation !== generation) this.#queue(key, () => this.#observe(place, object, known))
      known.generation = generation
      return
    }
    known?.stop.abort(new Error('the Provider was changed'))
    const wanted: Wanted = { installationKey, generation, isLocked: lock !== undefined, stop: new AbortController() }
    this.#wanted.set(key, wanted)
    this.#queue(key, () => this.#install(place, object as ProviderObject, wanted))
  }

  #drop(place: ObjectLocation): void {
    const key = keyOf(place)
    this.#deletions.drop(place)
    this.#options.kinds.setDeleting(place.cluster, place.name, false)
    this.#wanted.get(key)?.stop.abort(new Error('the Provider was deleted'))
    this.#wanted.delete(key)
    this.#queue(key, () => this.#remove(place, key))
  }

  // Runs the tasks of one Provider one after the other.
  #queue(key: string, work: () => Promise<void>): void {
    const before = this.#work.get(key) ?? Promise.resolve()
    const after = before.then(work).catch((error: unknown) => {
      if (!this.#stopping.signal.aborted) this.#options.report(`provider ${key}: ${messageOf(error)}`)
    })
    this.#work.set(key, after)
    void after.then(() => {
      if (this.#work.get(key) === after) this.#work.delete(key)
    })
  }

  async #install(place: ObjectLocation, object: ProviderObject, wanted: Wanted): Promise<void> {
    if (this.#wanted.get(keyOf(place)) !== wanted) return
    const { installer, processes, giveBackMemory } = this.#options
    const signal = AbortSignal.any([this.#stopping.signal, wanted.stop.signal])
    const { source, version, downloadUrl, downloadName } = object.spec ?? {}
    const lock = object.status?.lock
    const request = defined({ cluster: place.cluster, source, version, downloadUrl, downloadName, lock })
    let installed: InstalledPackage | undefined
    try {
      if (lock === undefined) await this.#reportInstalling(place, object, wanted)
      installed = await installer.install(request, { signal })
      const schema = await processes.schemaOf(installed, { signal })
      const isLarge = schema.schema.resources.size > manyTypes
      if (isLarge) giveBackMemory()
      await this.#serve(place, object, wanted, installed, schema)
      if (isLarge) giveBackMemory()
    } catch (error) {
      if (signal.aborted) return
      wanted.problem = `Provider ${JSON.stringify(place.name)} is not ready: ${messageOf(error)}`
      await this.#reportFailure(place, object, wanted, installed, error)
      if (error instanceof InstallFailure && error.transient) this.#retry(place, object, wanted, signal)
    }
  }

  // Retries with exponential backoff, because a provider registry may be unreachable for a while.
  #retry(place: ObjectLocation, object: ProviderObject, wanted: Wanted, signal: AbortSignal): void {
    wanted.failures = (wanted.failures ?? 0) + 1
    const pause = Math.min(firstPause * 2 ** (wanted.failures - 1), longestPause)
    this.#options.clock.sleep(pause, signal).then(
      () => this.#queue(keyOf(place), () => this.#install(place, object, wanted)),
      () => {},
    )
  }

  async #serve(
    place: ObjectLocation,
    { metadata }: ProviderObject,
    { generation }: Wanted,
    installed: InstalledPackage,
    schema: PackageSchema,
  ): Promise<void> {
    const { objects, types, kinds, clock } = this.#options
    const { cluster, name: provider } = place
    const stubs = await stubsOf(objects, cluster, provider)
    const taken = servedNames(
      provider,
      stubs.map(({ object }) => object),
    )
    const schemaHash = installed.hash.slice(0, 24)
    const all = kindsOf(provider, schema.schema, taken)
    const removed = await this.#removedTypes(cluster, all, stubs)
    const now = () => clock.now()
    const others = otherNames(types.types(cluster))
    const own = providerTypes({
      provider,
      schema: schema.schema,
      schemaHash,
      templates: templateSyntax,
      taken,
      now,
      isOtherKind: (name) => others.has(name),
    })
    const listed = [...own, ...removed.types]
    const rows = providerRowsType(kinds, provider, listed)
    types.serve(cluster, ownerOf(provider), rows === undefined ? listed : [...listed, rows])
    kinds.serve(
      cluster,
      provider,
      all.map((kind) => resourceKind(kind, schema)),
      removed.kinds.map((kind) => ({ provider, ...kind })),
    )
    this.#served.set(keyOf(place), { package: installed, schema })
    const owner = { name: provider, uid: metadata?.uid ?? '' }
    await writeStubs(objects, cluster, all, stubs, { schemaHash, owner, now: clock.now() })
    await removeStubs(objects, cluster, removed.empty)
    const { lock, warnings } = installed
    const found = `${installed.version} from ${installed.origin}`
    const served = `${schema.schema.resources.size} resource types and ${schema.schema.dataSources.size} data sources are served`
    await writeProviderStatus(
      objects,
      place,
      owner.uid,
      {
        lock,
        types: all.length,
        generation,
        conditions: [
          condition('Installed', 'True', 'Installed', [found, ...warnings].join('; ')),
          condition('Ready', 'True', 'Served', [served, ...removed.messages].join('; ')),
        ],
      },
      clock.now(),
    )
  }

  // Finds types that the installed version no longer has. Kinds with objects are served read-only with a deprecation; stubs of others go.
  async #removedTypes(cluster: string, kinds: readonly ProviderKind[], stubs: readonly StoredStub[]) {
    const { objects } = this.#options
    const present = new Set(kinds.map(({ names, group }) => `${names.plural}.${group}`))
    const missing = stubs.filter(({ name }) => !present.has(name))
    const types: ReturnType<typeof customResourceTypes> = []
    const empty: StoredStub[] = []
    const messages: string[] = []
    const former: Omit<ListedKind, 'provider'>[] = []
    for (const stub of missing) {
      const definition = definitionFrom(stub.object)
      const { group, names } = definition.spec
      const count = await objects.count(objectRange({ group, resource: names.plural }, cluster))
      if (count === 0) {
        empty.push(stub)
        continue
      }
      messages.push(`${names.plural} is no longer a type of this version: its ${count} objects can be read and deleted`)
      const deprecation = `the provider no longer has the type ${names.kind}: objects can be read and deleted, not changed`
      for (const type of customResourceTypes(definition))
        types.push({
          ...type,
          names: { ...type.names, categories: [] },
          deprecation,
          verbs: ['get', 'list', 'watch', 'delete', 'deletecollection'],
        })
      former.push({ ...typeOfStub(stub.object), group, resource: names.plural, kind: names.kind })
    }
    return { types, empty, messages, kinds: former }
  }

  async #remove(place: ObjectLocation, key: string): Promise<void> {
    const { objects, types, kinds, processes } = this.#options
    const { cluster, name } = place
    // A new Provider with the same name was created meanwhile.
    if (this.#wanted.has(key)) return
    this.#served.delete(key)
    types.serve(cluster, ownerOf(name), [])
    kinds.serve(cluster, name, [])
    // A concurrent installation may have written stubs.
    await removeStubs(objects, cluster, await stubsOf(objects, cluster, name))
    await processes.retire(({ owner }) => owner === providerOwner(cluster, name))
  }

  #reportInstalling(place: ObjectLocation, { metadata }: ProviderObject, { generation }: Wanted) {
    const { objects, clock } = this.#options
    const conditions = [condition('Installed', 'False', 'Installing', 'the provider is being installed')]
    return writeProviderStatus(objects, place, metadata?.uid ?? '', { generation, conditions }, clock.now())
  }

  // Writes the current conditions again with the object's new generation.
  async #observe(place: ObjectLocation, { metadata }: KubernetesObject, { generation }: Wanted): Promise<void> {
    const { objects, clock } = this.#options
    const stored = await objects.get(providerResource, place)
    const { conditions = [] } = (stored && (decodeObject(stored.bytes) as ProviderObject).status) ?? {}
    const own = conditions.filter(({ type }) => type === 'Installed' || type === 'Ready')
    await writeProviderStatus(objects, place, metadata?.uid ?? '', { generation, conditions: own }, clock.now())
  }

  async #reportFailure(
    place: ObjectLocation,
    { metadata }: ProviderObject,
    { generation }: Wanted,
    installed: InstalledPackage | undefined,
    error: unknown,
  ) {
    const { objects, clock } = this.#options
    const reason = error instanceof InstallFailure ? error.reason : reasonOf(error)
    const failed = (type: string) => condition(type, 'False', reason, messageOf(error))
    const conditions =
      installed === undefined
        ? [failed('Installed'), failed('Ready')]
        : [
            condition('Installed', 'True', 'Installed', `${installed.version} from ${installed.origin}`),
            failed('Ready'),
          ]
    const lock = installed === undefined ? {} : { lock: installed.lock }
    await writeProviderStatus(objects, place, metadata?.uid ?? '', { ...lock, generation, conditions }, clock.now())
  }
}

interface Served extends ServedProvider {
  readonly package: InstalledPackage
}

interface Wanted {
  /** The newest generation of the object with this installation key. */
  generation: number | undefined
  /** Identifies the installation: it changes when another package has to be installed. */
  readonly installationKey: string
  /** True when the installation had to match a lock. */
  readonly isLocked: boolean
  readonly stop: AbortController
  /** Why the Provider isn't served. */
  problem?: string
  /** The number of consecutive failed installations. */
  failures?: number
}

// Reading the schema of a provider with more types leaves much garbage.
const manyTypes = 500

// Milliseconds that the start of a server waits for stored Providers to be served.
const longestStart = 5000

// The first and the longest pause between attempts to install a package, in milliseconds.
const firstPause = 5000
const longestPause = 300_000

function keyOf({ cluster, name }: ObjectLocation): string {
  return `${cluster}/${name}`
}

function ownerOf(provider: string): string {
  return `provider/${provider}`
}

function installationKeyOf({ metadata, spec = {} }: ProviderObject): string {
  const { source, version, downloadUrl, downloadName } = spec
  return JSON.stringify([metadata?.uid, source, version, downloadUrl, downloadName])
}

function resourceKind(its: ProviderKind, { identitySchemas }: PackageSchema): ResourceKind {
  const { provider, mode, type, group, names } = its
  const identity = mode === 'managed' ? identitySchemas.get(type) : undefined
  let schema: Schema | undefined
  return {
    provider,
    type,
    data: mode === 'data',
    group,
    resource: names.plural,
    kind: names.kind,
    get schema() {
      schema ??= its.schema
      return schema
    },
    ...(identity !== undefined && { identity }),
  }
}

// Kinds of other Providers are left out: a type that two of them have goes by the same names in both, and kubectl says so.
function otherNames(types: Iterable<ResourceType>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { group, names: its } of types)
    if (!group.endsWith('.hykube.io'))
      for (const name of [its.plural, its.singular, its.kind.toLowerCase(), ...its.shortNames]) names.add(name)
  return names
}

function condition(type: string, status: 'True' | 'False', reason: string, message: string) {
  return { type, status, reason, message }
}

function reasonOf(error: unknown): string {
  const { reason } = error as { reason?: unknown }
  return typeof reason === 'string' ? reason : 'Failed'
}

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
