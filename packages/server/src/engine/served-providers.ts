import type { Clock } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { Schema } from '@hykube/tfplugin/value'
import { customResourceTypes, definitionFrom } from '../crd/index.ts'
import type { Estate } from '../estate/index.ts'
import { templateSyntax } from '../expression/index.ts'
import type { NodeKind, ProviderProblem } from '../plan/index.ts'
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
  takenNames,
} from '../provider/index.ts'
import {
  decodeObject,
  type ObjectPlace,
  type ObjectStore,
  type ObservedChange,
  objectFromKey,
  objectRange,
  type TypeRegistry,
  type WatchHub,
} from '../resource/index.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import { removeStubs, type StoredStub, stubsOf, writeStubs } from './kind-stubs.ts'
import { LeavingProviders } from './leaving-providers.ts'
import { providerOwner, type ServedProvider } from './provider-runtime.ts'
import { providerPlace, tellProvider } from './provider-status.ts'

export interface ServedProvidersOptions {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly hub: WatchHub
  readonly types: TypeRegistry
  readonly kinds: ServedKinds
  readonly installer: ProviderInstaller
  readonly processes: ProviderProcesses
  readonly clock: Clock
  /** Called when a lot of memory was used that is not needed any more. */
  readonly giveBackMemory: () => void
  /** Told what went wrong in the background. */
  readonly report: (message: string) => void
}

/**
 * Installs what Providers ask for and serves their kinds. It follows the store: a new Provider is installed, one that was
 * changed is installed anew, and the kinds of one that is gone are served no longer. Every server on a store does the same.
 */
export class ServedProviders {
  readonly #options: ServedProvidersOptions
  readonly #served = new Map<string, Served>()
  readonly #wanted = new Map<string, Wanted>()
  readonly #work = new Map<string, Promise<void>>()
  readonly #leaving: LeavingProviders
  readonly #stopping = new AbortController()
  readonly #stopListening: () => void

  private constructor(options: ServedProvidersOptions) {
    this.#options = options
    this.#leaving = new LeavingProviders(options)
    this.#stopListening = options.hub.listen((changes) => this.#follow(changes))
  }

  /** Serves what was installed before, as far as that is quick; then follows. */
  static async open(options: ServedProvidersOptions): Promise<ServedProviders> {
    const providers = new ServedProviders(options)
    const range = objectRange(providerPlace)
    let page = await options.objects.scan(range)
    for (;;) {
      for (const { key, value } of page.entries) providers.#take(objectFromKey(key), decodeObject(value))
      if (page.last === undefined) break
      page = await options.objects.scan(range, { revision: page.revision, after: page.last })
    }
    await Promise.race([Promise.all(providers.#work.values()), options.clock.sleep(longestStart)])
    return providers
  }

  async close(): Promise<void> {
    this.#stopListening()
    this.#stopping.abort(new Error('the server is stopping'))
    await Promise.all([...this.#work.values(), this.#leaving.close()])
  }

  /** A Provider that is served, or why it is not. */
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
      if (group !== providerPlace.group || resource !== providerPlace.resource) continue
      if (change.kind === 'put') this.#take(change.place, change.object)
      else this.#drop(change.place)
    }
  }

  #take({ cluster, namespace, name }: ObjectPlace, object: KubernetesObject): void {
    const place = { cluster, namespace, name }
    const key = keyOf(place)
    const isLeaving = object.metadata?.deletionTimestamp != null
    this.#options.kinds.setLeaving(cluster, name, isLeaving)
    if (isLeaving) this.#leaving.take(place, object.metadata?.uid ?? '')
    const form = formOf(object as ProviderObject)
    const known = this.#wanted.get(key)
    const lock = (object as ProviderObject).status?.lock
    // Who takes the lock away from what could not be installed by it wants it installed without.
    const isUnlocked = known?.problem !== undefined && known.isLocked && lock === undefined
    const generation = object.metadata?.generation
    if (known?.form === form && !isUnlocked) {
      // Clients that wait for a condition compare generations, also after a change that needs no installation.
      if (known.generation !== generation) this.#queue(key, () => this.#observe(place, object, known))
      known.generation = generation
      return
    }
    known?.stop.abort(new Error('it was changed meanwhile'))
    const wanted: Wanted = { form, generation, isLocked: lock !== undefined, stop: new AbortController() }
    this.#wanted.set(key, wanted)
    this.#queue(key, () => this.#install(place, object as ProviderObject, wanted))
  }

  #drop(place: ObjectPlace): void {
    const key = keyOf(place)
    this.#leaving.drop(place)
    this.#options.kinds.setLeaving(place.cluster, place.name, false)
    this.#wanted.get(key)?.stop.abort(new Error('it was deleted'))
    this.#wanted.delete(key)
    this.#queue(key, () => this.#remove(place, key))
  }

  // One thing at a time for each Provider.
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

  async #install(place: ObjectPlace, object: ProviderObject, wanted: Wanted): Promise<void> {
    if (this.#wanted.get(keyOf(place)) !== wanted) return
    const { installer, processes, giveBackMemory } = this.#options
    const signal = AbortSignal.any([this.#stopping.signal, wanted.stop.signal])
    const { source, version, downloadUrl, downloadName } = object.spec ?? {}
    const lock = object.status?.lock
    const request = defined({ cluster: place.cluster, source, version, downloadUrl, downloadName, lock })
    let installed: InstalledPackage | undefined
    try {
      if (lock === undefined) await this.#tellInstalling(place, object, wanted)
      installed = await installer.install(request, { signal })
      const schema = await processes.schemaOf(installed, { signal })
      const isLarge = schema.schema.resources.size > manyTypes
      if (isLarge) giveBackMemory()
      await this.#serve(place, object, wanted, installed, schema)
      if (isLarge) giveBackMemory()
    } catch (error) {
      if (signal.aborted) return
      wanted.problem = `Provider ${JSON.stringify(place.name)} is not ready: ${messageOf(error)}`
      await this.#tellFailure(place, object, wanted, installed, error)
      if (error instanceof InstallFailure && error.transient) this.#tryAgain(place, object, wanted, signal)
    }
  }

  // A registry that can't be reached may be back in a while; nobody has to change the Provider for that.
  #tryAgain(place: ObjectPlace, object: ProviderObject, wanted: Wanted, signal: AbortSignal): void {
    wanted.failures = (wanted.failures ?? 0) + 1
    const pause = Math.min(firstPause * 2 ** (wanted.failures - 1), longestPause)
    this.#options.clock.sleep(pause, signal).then(
      () => this.#queue(keyOf(place), () => this.#install(place, object, wanted)),
      () => {},
    )
  }

  async #serve(
    place: ObjectPlace,
    { metadata }: ProviderObject,
    { generation }: Wanted,
    installed: InstalledPackage,
    schema: PackageSchema,
  ): Promise<void> {
    const { objects, types, kinds, clock } = this.#options
    const { cluster, name: provider } = place
    const stubs = await stubsOf(objects, cluster, provider)
    const taken = takenNames(
      provider,
      stubs.map(({ object }) => object),
    )
    const schemaHash = installed.hash.slice(0, 24)
    const all = kindsOf(provider, schema.schema, taken)
    const vanished = await this.#vanished(cluster, all, stubs)
    const now = () => clock.now()
    const own = providerTypes({ provider, schema: schema.schema, schemaHash, templates: templateSyntax, taken, now })
    types.serve(cluster, ownerOf(provider), [...own, ...vanished.types])
    kinds.serve(
      cluster,
      provider,
      all.map((kind) => nodeKind(kind, schema)),
    )
    this.#served.set(keyOf(place), { package: installed, schema })
    const owner = { name: provider, uid: metadata?.uid ?? '' }
    await writeStubs(objects, cluster, all, stubs, { schemaHash, owner, now: clock.now() })
    await removeStubs(objects, cluster, vanished.empty)
    const { lock, warnings } = installed
    const found = `${installed.version} from ${installed.origin}`
    const served = `${schema.schema.resources.size} resource types and ${schema.schema.dataSources.size} data sources are served`
    await tellProvider(
      objects,
      place,
      owner.uid,
      {
        lock,
        types: all.length,
        generation,
        conditions: [
          condition('Installed', 'True', 'Installed', [found, ...warnings].join('; ')),
          condition('Ready', 'True', 'Served', [served, ...vanished.told].join('; ')),
        ],
      },
      clock.now(),
    )
  }

  // Types that the provider no longer has: their objects stay readable, and say so.
  async #vanished(cluster: string, kinds: readonly ProviderKind[], stubs: readonly StoredStub[]) {
    const { objects } = this.#options
    const present = new Set(kinds.map(({ names, group }) => `${names.plural}.${group}`))
    const gone = stubs.filter(({ name }) => !present.has(name))
    const types: ReturnType<typeof customResourceTypes> = []
    const empty: StoredStub[] = []
    const told: string[] = []
    for (const stub of gone) {
      const definition = definitionFrom(stub.object)
      const { group, names } = definition.spec
      const count = await objects.count(objectRange({ group, resource: names.plural }, cluster))
      if (count === 0) {
        empty.push(stub)
        continue
      }
      told.push(`${names.plural} is not a type of this version any more: its ${count} objects can be read and deleted`)
      const deprecation = `the provider has no type for ${names.kind} any more: it can be read and deleted, not changed`
      for (const type of customResourceTypes(definition))
        types.push({ ...type, deprecation, verbs: ['get', 'list', 'watch', 'delete', 'deletecollection'] })
    }
    return { types, empty, told }
  }

  async #remove(place: ObjectPlace, key: string): Promise<void> {
    const { objects, types, kinds, processes } = this.#options
    const { cluster, name } = place
    // Somebody created it anew meanwhile.
    if (this.#wanted.has(key)) return
    this.#served.delete(key)
    types.serve(cluster, ownerOf(name), [])
    kinds.serve(cluster, name, [])
    // An installation that was under way may have written some.
    await removeStubs(objects, cluster, await stubsOf(objects, cluster, name))
    await processes.retire(({ owner }) => owner === providerOwner(cluster, name))
  }

  #tellInstalling(place: ObjectPlace, { metadata }: ProviderObject, { generation }: Wanted) {
    const { objects, clock } = this.#options
    const conditions = [condition('Installed', 'False', 'Installing', 'the provider is being installed')]
    return tellProvider(objects, place, metadata?.uid ?? '', { generation, conditions }, clock.now())
  }

  // The conditions as they are, of the generation that the object has now.
  async #observe(place: ObjectPlace, { metadata }: KubernetesObject, { generation }: Wanted): Promise<void> {
    const { objects, clock } = this.#options
    const stored = await objects.get(providerPlace, place)
    const { conditions = [] } = (stored && (decodeObject(stored.bytes) as ProviderObject).status) ?? {}
    const own = conditions.filter(({ type }) => type === 'Installed' || type === 'Ready')
    await tellProvider(objects, place, metadata?.uid ?? '', { generation, conditions: own }, clock.now())
  }

  async #tellFailure(
    place: ObjectPlace,
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
    await tellProvider(objects, place, metadata?.uid ?? '', { ...lock, generation, conditions }, clock.now())
  }
}

interface Served extends ServedProvider {
  readonly package: InstalledPackage
}

interface Wanted {
  /** Differs whenever something else is to be installed. */
  /** The newest generation of the object with this form. */
  generation: number | undefined
  readonly form: string
  /** Whether it had to be the package of a lock. */
  readonly isLocked: boolean
  readonly stop: AbortController
  /** Why it is not served. */
  problem?: string
  /** How often it could not be had in a row. */
  failures?: number
}

// From how many types on reading a schema leaves a lot behind.
const manyTypes = 500

// How long the start of a server waits for providers that were installed before, in milliseconds.
const longestStart = 5000

// How long it is waited before a package is asked for again, in milliseconds: at first, and at most.
const firstPause = 5000
const longestPause = 300_000

function keyOf({ cluster, name }: ObjectPlace): string {
  return `${cluster}/${name}`
}

function ownerOf(provider: string): string {
  return `provider/${provider}`
}

function formOf({ metadata, spec = {} }: ProviderObject): string {
  const { source, version, downloadUrl, downloadName } = spec
  return JSON.stringify([metadata?.uid, source, version, downloadUrl, downloadName])
}

function nodeKind(its: ProviderKind, { identitySchemas }: PackageSchema): NodeKind {
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

function condition(type: string, status: 'True' | 'False', reason: string, message: string) {
  return { type, status, reason, message }
}

function reasonOf(error: unknown): string {
  const { reason } = error as { reason?: unknown }
  return typeof reason === 'string' ? reason : 'Failed'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function defined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
