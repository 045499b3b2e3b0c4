import { hostname } from 'node:os'
import { messageOf } from '@hykube/machinery/base'
import type { JsonObject } from '@hykube/machinery/json'
import { hasErrors } from '@hykube/machinery/status'
import { emptyBlock, impliedType, type Schema } from '@hykube/tfplugin/schema'
import {
  emptyObject,
  isWhollyKnown,
  type Path,
  samePath,
  Typed,
  transformValue,
  type Value,
} from '@hykube/tfplugin/value'
import { readKey } from '../estate/index.ts'
import type { ConfiguredProviders } from '../evaluation/index.ts'
import { type AccessSession, Inputs, type ProviderAccess, type ProviderProblem } from '../evaluation/index.ts'
import {
  costLimitPerTemplates,
  evaluateConfig,
  Meter,
  referencesOf,
  reportableProblem,
  type SpecReference,
} from '../expression/index.ts'
import type { ResourceKind, ResourceRef } from '../model/index.ts'
import {
  batchingPort,
  type PackageSchema,
  ProviderFailure,
  type ProviderPackage,
  type ProviderProcesses,
  type ProviderSession,
} from '../provider/index.ts'
import {
  decodeObject,
  type ObjectLocation,
  type ObjectStore,
  type ObservedChange,
  type WatchHub,
} from '../resource/index.ts'
import { canonicalText, sensitiveStrings } from '../terraform/index.ts'

/** A served Provider: its package and schema. */
export interface ServedProvider {
  readonly package: ProviderPackage
  readonly schema: PackageSchema
}

export interface ProviderRuntimeOptions {
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly processes: ProviderProcesses
  /** A hash keyed with a secret of the server, because credentials are part of the input. */
  readonly hash: (text: string) => string
  /** Finds a served Provider, or returns why it isn't served. */
  readonly served: (cluster: string, provider: string) => ServedProvider | ProviderProblem
  /** The working directory of a provider process. `configuration` is `default` or `<namespace>.<name>`. */
  readonly workDirectory: (cluster: string, provider: string, configuration: string) => string
  /** True when `hykube/script` may run commands on the server's host. Default false: only over SSH. */
  readonly allowsLocalScripts?: boolean
  /** Returns why a configuration may not be used; `namespace` is undefined for that of a Provider. */
  readonly refusal?: (configuration: {
    readonly cluster: string
    readonly provider: string
    readonly source: string
    readonly namespace: string | undefined
    readonly value: Value
  }) => string | undefined
  /** Default settings of a provider, which its configuration overrides. */
  readonly defaults: (cluster: string, provider: string, source: string) => JsonObject
}

/** Evaluates provider configurations and starts processes on the first call. Caches both until an object that they depend on changes. */
export class ProviderRuntime implements ConfiguredProviders {
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

  async references(ref: ResourceRef, kind: ResourceKind, configuration: string): Promise<readonly SpecReference[]> {
    // The default configuration is cluster-scoped and can't refer to objects in namespaces.
    if (configuration === '') return none
    const { cluster, namespace } = ref
    const key = JSON.stringify([cluster, namespace, kind.provider, configuration])
    let known = this.#references.get(key)
    if (known === undefined) {
      known = this.#readConfiguration({ cluster, namespace, name: configuration }, kind.provider).then((written) =>
        'problem' in written ? none : referencesOf(undefined, written.config).references,
      )
      this.#references.set(key, known)
      known.catch(() => this.#references.delete(key))
    }
    return known
  }

  access(
    ref: ResourceRef,
    kind: ResourceKind,
    configuration: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem> {
    const { cluster, namespace } = ref
    // Not cached, because changes of other objects' outputs don't invalidate the cache.
    if (inputs !== undefined) return this.#configure({ cluster, namespace, name: configuration }, kind.provider, inputs)
    const key = JSON.stringify([cluster, kind.provider, configuration === '' ? '' : namespace, configuration])
    let known = this.#known.get(key)
    if (known === undefined) {
      known = this.#configure({ cluster, namespace, name: configuration }, kind.provider)
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

  // After a timeout or a cancellation the provider may still be working on the call.
  isFinished(error: unknown): boolean {
    return error instanceof ProviderFailure && error.reason !== 'ProviderTimeout' && error.reason !== 'CallCanceled'
  }

  describe(error: unknown): string {
    return messageOf(error)
  }

  /** Drops all cached configurations. */
  forget(): void {
    this.#known.clear()
    this.#references.clear()
  }

  // Drops the caches when a Provider, ProviderConfig, Secret or ConfigMap changes.
  #follow(changes: readonly ObservedChange[]): void {
    for (const { place } of changes) {
      const { group, resource } = place
      if ((group === 'hykube.io' && resource !== 'plans') || (group === '' && isReadable(resource))) this.forget()
    }
  }

  async #configure(
    config: ObjectLocation,
    provider: string,
    inputs?: Inputs,
  ): Promise<ProviderAccess | ProviderProblem> {
    const { served, defaults, workDirectory } = this.#options
    const { cluster, name } = config
    const found = served(cluster, provider)
    if ('problem' in found) return found
    const { package: its, schema } = found
    const written = await this.#readConfiguration(config, provider)
    if ('problem' in written) return written
    const given = { ...defaults(cluster, provider, its.source), ...written.config }
    const evaluated = await this.#evaluate(schema.schema.provider, given, written.namespace, cluster, inputs)
    if ('problem' in evaluated)
      return { ...evaluated, problem: `the configuration of provider ${provider}: ${evaluated.problem}` }
    const { value, epoch, settings, secrets } = evaluated
    const runsCommands = isScriptSource(its.source)
    if (runsCommands && isLocal(value) && this.#options.allowsLocalScripts !== true) return { problem: noLocalScripts }
    const { namespace } = written
    const refusal = this.#options.refusal?.({ cluster, provider, source: its.source, namespace, value })
    if (refusal !== undefined) return { problem: `the configuration of provider ${provider}: ${refusal}` }
    // A namespace contains no dot, so the name is unique.
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
      settings,
      runsCommands,
      capabilities: schema.schema.serverCapabilities,
      port: portOver(use),
      secrets,
      use: (work) => use((session) => work(sessionOf(session))),
      hide: (secrets) => this.#options.processes.addSecrets(target, secrets),
    }
  }

  async #readConfiguration(
    { cluster, namespace, name }: ObjectLocation,
    provider: string,
  ): Promise<ReadConfiguration | ProviderProblem> {
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
    if (schema === undefined) return { value: emptyObject(), epoch: '', settings: '', secrets: [] }
    for (const { reference } of referencesOf(schema.block, config).references) {
      if (reference.kind === 'resource' && own !== undefined) continue
      if (reference.kind !== 'secret' && reference.kind !== 'configmap')
        return {
          problem:
            'the default configuration may refer to Secrets and ConfigMaps only: create a ProviderConfig to refer to resources',
        }
      const { namespace = own, name, key } = reference
      if (namespace === undefined)
        return { problem: `write ${reference.kind}["NAMESPACE/${name}"]: a Provider is in no namespace` }
      const text = await readKey(this.#options.objects, reference.kind, { cluster, namespace, name }, key)
      inputs.addText(reference, text)
    }
    const scope = inputs.scope(undefined, undefined)
    const { value, sensitive, problems } = evaluateConfig(schema.block, config, scope, new Meter(costLimitPerTemplates))
    const problem = reportableProblem(problems)
    if (problem !== undefined) return { problem: problem.message }
    if (!isWhollyKnown(value)) return { problem: notKnownYet, isLater: true }
    const secrets = sensitiveStrings(schema, value, sensitive)
    const shown = withoutSecrets(schema, value, sensitive)
    const { hash } = this.#options
    return { value, secrets, epoch: hash(canonicalText(shown)), settings: hash(settingsText(shown)) }
  }
}

/** Returns the owner of a Provider's processes. Providers never share a process, even with the same package and configuration. */
export function providerOwner(cluster: string, provider: string): string {
  return `${cluster}/${provider}`
}

const noLocalScripts =
  'commands on the host of the server are disabled: configure a connection, or start the server with --allow-local-scripts'

function isScriptSource(source: string): boolean {
  return source.endsWith('/hykube/script')
}

function isLocal(config: Value): boolean {
  return (config as { readonly connection?: Value } | null)?.connection == null
}

const notKnownYet = 'it refers to values that are known only after other changes are applied'

const none: readonly SpecReference[] = []

interface ReadConfiguration {
  readonly config: JsonObject
  readonly namespace: string | undefined
}

interface Evaluated {
  readonly value: Value
  readonly epoch: string
  readonly settings: string
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

// The epoch leaves out sensitive values, so that rotating a credential doesn't make the planner plan every object again.
function withoutSecrets(schema: Schema, value: Value, sensitive: readonly Path[]): Value {
  const byName = new Set(schema.block.attributes.filter((each) => each.sensitive).map(({ name }) => name))
  return transformValue(value, impliedType(schema.block), (part, path) => {
    const [first] = path
    const isByName = path.length === 1 && first?.kind === 'attribute' && byName.has(first.name)
    return isByName || sensitive.some((each) => samePath(each, path)) ? null : part
  })
}

// A text of the settings that are not null, zero, false or empty; empty when there are none.
function settingsText(value: Value): string {
  if (value instanceof Typed) return settingsText(value.value)
  if (Array.isArray(value)) {
    const texts = (value as readonly Value[]).map(settingsText)
    return texts.every((text) => text === '') ? '' : `[${texts.join()}]`
  }
  const text = canonicalText(value)
  if (!text.startsWith('{')) return absent.has(text) ? '' : text
  const entries = Object.entries(value as Readonly<Record<string, Value>>).sort(([a], [b]) => (a < b ? -1 : 1))
  const texts = entries.map(([name, each]) => [JSON.stringify(name), settingsText(each)] as const)
  const set = texts.filter(([, text]) => text !== '')
  return set.length === 0 ? '' : `{${set.map((each) => each.join(':')).join()}}`
}

const absent: ReadonlySet<string> = new Set(['null', '""', 'false', '0'])

// One port per process, so that concurrent calls to a process are batched together.
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
      plansDeterministically: (type) => extensions?.extensions.get(type)?.deterministicPlan === true,
      batchesApplies: (type) => extensions?.extensions.get(type)?.applyMany === true,
      batchesReads: (type) => extensions?.extensions.get(type)?.readMany === true,
      generateConfig: (type, state) => generatedConfig(session, type, state),
      list: (type, limit) => listOf(session, type, limit),
    }
    sessions.set(session, known)
  }
  return known
}

// Lists all resources of a type; undefined when the provider can't list it or the list needs a configuration.
async function listOf({ client }: ProviderSession, typeName: string, limit: number) {
  const schema = (await client.schema()).listResources.get(typeName)
  if (schema === undefined || schema.block.attributes.some(({ required }) => required)) return undefined
  return client.listResource({ typeName, config: emptyBlock(schema.block), includeResourceObject: true, limit })
}

async function generatedConfig({ client, schema }: ProviderSession, typeName: string, state: Value) {
  if (!schema.serverCapabilities.generateResourceConfig) return undefined
  const { config, diagnostics } = await client.generateResourceConfig({ typeName, state })
  return hasErrors(diagnostics) ? undefined : config
}

/** A port that acquires a process of the provider for each call. */
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
    readDataSource: (request, options) => use((session) => portOf(session).readDataSource(request, options)),
  }
}
