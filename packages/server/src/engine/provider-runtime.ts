import { hostname } from 'node:os'
import type { JsonObject } from '@hykube/machinery/json'
import {
  emptyBlock,
  emptyObject,
  impliedType,
  isWhollyKnown,
  type Path,
  type Schema,
  samePath,
  transformValue,
  type Value,
} from '@hykube/tfplugin/value'
import {
  costLimitPerObject,
  evaluateConfig,
  Meter,
  referencesOf,
  type SpecReference,
  shownProblem,
} from '../expression/index.ts'
import {
  type AccessSession,
  canonicalText,
  Inputs,
  type NodeKind,
  type NodePlace,
  type ProviderAccess,
  type ProviderProblem,
  sensitiveStrings,
} from '../plan/index.ts'
import {
  type PackageSchema,
  ProviderFailure,
  type ProviderPackage,
  type ProviderProcesses,
  type ProviderSession,
} from '../provider/index.ts'
import {
  decodeObject,
  type ObjectPlace,
  type ObjectStore,
  type ObservedChange,
  type WatchHub,
} from '../resource/index.ts'
import { batchingPort } from './batching-port.ts'
import type { EngineProviders } from './providers.ts'
import { readKey } from './read-key.ts'

/** A Provider that is served. */
export interface ServedProvider {
  readonly package: ProviderPackage
  readonly schema: PackageSchema
}

export interface ProviderRuntimeOptions {
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly processes: ProviderProcesses
  /** A keyed hash: credentials go into it. */
  readonly hash: (text: string) => string
  /** A Provider that is served, or why it is not. */
  readonly served: (cluster: string, provider: string) => ServedProvider | ProviderProblem
  /** Where the process of a provider runs, by its configuration: `default`, or `<namespace>.<name>`. */
  readonly workDirectory: (cluster: string, provider: string, configuration: string) => string
  /** Whether `hykube/script` may run commands on the host of this server. Default false: only over SSH. */
  readonly allowsLocalScripts?: boolean
  /** What a configuration has that says nothing of it. */
  readonly defaults: (cluster: string, provider: string, source: string) => JsonObject
}

/** Configured providers: their configurations evaluated, their processes started when somebody asks. */
export class ProviderRuntime implements EngineProviders {
  readonly #options: ProviderRuntimeOptions
  readonly #known = new Map<string, Promise<ProviderAccess | ProviderProblem>>()
  readonly #references = new Map<string, Promise<readonly SpecReference[]>>()
  readonly #stopListening: () => void

  constructor(options: ProviderRuntimeOptions) {
    this.#options = options
    this.#stopListening = options.hub.listen((changes) => this.#follow(changes))
  }

  close(): void {
    this.#stopListening()
  }

  async references(place: NodePlace, kind: NodeKind, configuration: string): Promise<readonly SpecReference[]> {
    // The default configuration is in no namespace, where no objects of providers are.
    if (configuration === '') return none
    const { cluster, namespace } = place
    const key = JSON.stringify([cluster, namespace, kind.provider, configuration])
    let known = this.#references.get(key)
    if (known === undefined) {
      known = this.#written({ cluster, namespace, name: configuration }, kind.provider).then((written) =>
        'problem' in written ? none : referencesOf(undefined, written.config).references,
      )
      this.#references.set(key, known)
      known.catch(() => this.#references.delete(key))
    }
    return known
  }

  access(
    place: NodePlace,
    kind: NodeKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem> {
    const { cluster, namespace } = place
    // What objects give is told by nobody when it changes.
    if (inputs !== undefined) return this.#make({ cluster, namespace, name: configuration }, kind.provider, inputs)
    const key = JSON.stringify([cluster, kind.provider, configuration === '' ? '' : namespace, configuration])
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#make({ cluster, namespace, name: configuration }, kind.provider)
      this.#known.set(key, known)
      known.catch(() => this.#known.delete(key))
    }
    return known
  }

  isUnsent(error: unknown): boolean {
    return error instanceof ProviderFailure && error.sent === false
  }

  isFailure(error: unknown): boolean {
    return error instanceof ProviderFailure
  }

  // One that took too long, or was given up, may still be at it.
  isOver(error: unknown): boolean {
    return error instanceof ProviderFailure && error.reason !== 'ProviderTimeout' && error.reason !== 'CallCanceled'
  }

  describe(error: unknown): string {
    return error instanceof Error ? error.message : String(error)
  }

  /** Forgets what follows from a Provider, which was installed anew or is gone. */
  forget(): void {
    this.#known.clear()
    this.#references.clear()
  }

  // What a configuration is made of has changed.
  #follow(changes: readonly ObservedChange[]): void {
    for (const { place } of changes) {
      const { group, resource } = place
      if ((group === 'hykube.io' && resource !== 'plans') || (group === '' && isReadable(resource))) this.forget()
    }
  }

  async #make(config: ObjectPlace, provider: string, inputs?: Inputs): Promise<ProviderAccess | ProviderProblem> {
    const { served, defaults, workDirectory } = this.#options
    const { cluster, name } = config
    const found = served(cluster, provider)
    if ('problem' in found) return found
    const { package: its, schema } = found
    const written = await this.#written(config, provider)
    if ('problem' in written) return written
    const given = { ...defaults(cluster, provider, its.source), ...written.config }
    const evaluated = await this.#evaluate(schema.schema.provider, given, written.namespace, cluster, inputs)
    if ('problem' in evaluated)
      return { ...evaluated, problem: `the configuration of provider ${provider}: ${evaluated.problem}` }
    const { value, epoch, secrets } = evaluated
    const runsCommands = isScriptSource(its.source)
    if (runsCommands && isLocal(value) && this.#options.allowsLocalScripts !== true) return { problem: noLocalScripts }
    // A namespace holds no dot, so that no two configurations have one name.
    const configuration = name === '' ? 'default' : `${config.namespace}.${name}`
    const target = {
      package: its,
      owner: providerOwner(cluster, provider),
      configuration: {
        key: this.#options.hash(`${configuration} ${canonicalText(value)}`),
        config: value,
        secrets,
        workDirectory: workDirectory(cluster, provider, configuration),
        needsAccount: runsCommands && !isLocal(value),
      },
    }
    const use = <T>(work: (session: ProviderSession) => Promise<T>) => this.#options.processes.use(target, work)
    return {
      configuration: name,
      package: its.hash,
      epoch,
      runsCommands,
      capabilities: schema.schema.serverCapabilities,
      port: portOver(use),
      secrets,
      use: (work) => use((session) => work(sessionOf(session))),
      hide: (secrets) => this.#options.processes.hide(target, secrets),
    }
  }

  async #written({ cluster, namespace, name }: ObjectPlace, provider: string): Promise<Written | ProviderProblem> {
    const { objects } = this.#options
    if (name === '') {
      const stored = await objects.get(providers, { cluster, namespace: '', name: provider })
      if (stored === undefined) return { problem: `there is no Provider ${JSON.stringify(provider)}` }
      return { config: configOf(decodeObject(stored.bytes).spec), namespace: undefined }
    }
    const what = `ProviderConfig ${JSON.stringify(name)} in namespace ${JSON.stringify(namespace)}`
    const stored = await objects.get(configurations, { cluster, namespace, name })
    if (stored === undefined) return { problem: `there is no ${what}` }
    const { spec } = decodeObject(stored.bytes) as { spec?: { provider?: string } }
    if (spec?.provider !== provider)
      return {
        problem: `${what} is for provider ${JSON.stringify(spec?.provider)}, not for ${JSON.stringify(provider)}`,
      }
    return { config: configOf(spec), namespace }
  }

  async #evaluate(
    schema: Schema | undefined,
    config: JsonObject,
    own: string | undefined,
    cluster: string,
    inputs = new Inputs(),
  ): Promise<Evaluated | ProviderProblem> {
    if (schema === undefined) return { value: emptyObject(), epoch: '', secrets: [] }
    for (const { reference } of referencesOf(schema.block, config).references) {
      if (reference.kind === 'resource' && own !== undefined) continue
      if (reference.kind !== 'secret' && reference.kind !== 'configmap')
        return {
          problem:
            'the default configuration may refer to Secrets and ConfigMaps only: write a ProviderConfig for what comes from resources',
        }
      const { namespace = own, name, key } = reference
      if (namespace === undefined)
        return { problem: `write ${reference.kind}["NAMESPACE/${name}"]: a Provider is in no namespace` }
      const text = await readKey(this.#options.objects, reference.kind, { cluster, namespace, name }, key)
      inputs.takeText(reference, text)
    }
    const scope = inputs.scope(undefined, undefined)
    const { value, sensitive, problems } = evaluateConfig(schema.block, config, scope, new Meter(costLimitPerObject))
    const problem = shownProblem(problems)
    if (problem !== undefined) return { problem: problem.message }
    if (!isWhollyKnown(value)) return { problem: notKnownYet, isLater: true }
    const secrets = sensitiveStrings(schema, value, sensitive)
    return { value, secrets, epoch: this.#options.hash(canonicalText(withoutSecrets(schema, value, sensitive))) }
  }
}

/** Whose the processes of a Provider are: no other Provider's, whatever it has in common with this one. */
export function providerOwner(cluster: string, provider: string): string {
  return `${cluster}/${provider}`
}

const noLocalScripts =
  'commands on the host of the server are off: configure a connection, or start the server with --allow-local-scripts'

function isScriptSource(source: string): boolean {
  return source.endsWith('/hykube/script')
}

function isLocal(config: Value): boolean {
  return (config as { readonly connection?: Value } | null)?.connection == null
}

const notKnownYet = 'it is known only after something that it refers to was applied'

const none: readonly SpecReference[] = []

interface Written {
  readonly config: JsonObject
  readonly namespace: string | undefined
}

interface Evaluated {
  readonly value: Value
  readonly epoch: string
  readonly secrets: readonly string[]
}

const providers = { group: 'hykube.io', resource: 'providers' } as const
const configurations = { group: 'hykube.io', resource: 'providerconfigs' } as const

function isReadable(resource: string): boolean {
  return resource === 'secrets' || resource === 'configmaps'
}

function configOf(spec: unknown): JsonObject {
  return ((spec as { config?: JsonObject } | undefined)?.config ?? {}) as JsonObject
}

// A credential that changes must not have everything planned again.
function withoutSecrets(schema: Schema, value: Value, sensitive: readonly Path[]): Value {
  const byName = new Set(schema.block.attributes.filter((each) => each.sensitive).map(({ name }) => name))
  return transformValue(value, impliedType(schema.block), (part, path) => {
    const [first] = path
    const isByName = path.length === 1 && first?.kind === 'attribute' && byName.has(first.name)
    return isByName || sensitive.some((each) => samePath(each, path)) ? null : part
  })
}

// Everybody who uses a process at the same time shares its batches.
const ports = new WeakMap<ProviderSession, ProviderAccess['port']>()

function portOf(session: ProviderSession): ProviderAccess['port'] {
  let port = ports.get(session)
  if (port === undefined) {
    port = batchingPort(session.client, session.extensions)
    ports.set(session, port)
  }
  return port
}

const sessions = new WeakMap<ProviderSession, AccessSession>()

function sessionOf(session: ProviderSession): AccessSession {
  let known = sessions.get(session)
  if (known === undefined) {
    const { process, extensions } = session
    known = {
      port: portOf(session),
      process: { ...process, host: hostname() },
      isRepeatable: (type) => extensions?.extensions.get(type)?.idempotentApply === true,
      plansSteadily: (type) => extensions?.extensions.get(type)?.steadyPlan === true,
      appliesMany: (type) => extensions?.extensions.get(type)?.applyMany === true,
      readsMany: (type) => extensions?.extensions.get(type)?.readMany === true,
      list: (type, limit) => listOf(session, type, limit),
    }
    sessions.set(session, known)
  }
  return known
}

// Everything there is, as far as that can be asked for without saying more.
async function listOf({ client }: ProviderSession, typeName: string, limit: number) {
  const schema = (await client.schema()).listResources.get(typeName)
  if (schema === undefined || schema.block.attributes.some(({ required }) => required)) return undefined
  return client.listResource({ typeName, config: emptyBlock(schema.block), includeResourceObject: true, limit })
}

/** Calls of a provider, each with a process for itself to use. */
function portOver(use: <T>(work: (session: ProviderSession) => Promise<T>) => Promise<T>): ProviderAccess['port'] {
  return {
    validateResourceConfig: (request, options) =>
      use((session) => portOf(session).validateResourceConfig(request, options)),
    validateDataResourceConfig: (request, options) =>
      use((session) => portOf(session).validateDataResourceConfig(request, options)),
    upgradeResourceState: (request, options) =>
      use((session) => portOf(session).upgradeResourceState(request, options)),
    upgradeResourceIdentity: (request, options) =>
      use((session) => portOf(session).upgradeResourceIdentity(request, options)),
    readResource: (request, options) => use((session) => portOf(session).readResource(request, options)),
    planResourceChange: (request, options) => use((session) => portOf(session).planResourceChange(request, options)),
    applyResourceChange: (request, options) => use((session) => portOf(session).applyResourceChange(request, options)),
    importResourceState: (request, options) => use((session) => portOf(session).importResourceState(request, options)),
    moveResourceState: (request, options) => use((session) => portOf(session).moveResourceState(request, options)),
    readDataSource: (request, options) => use((session) => portOf(session).readDataSource(request, options)),
  }
}
