import { type CallOptions, GrpcError } from '@hykube/tfplugin/grpc'
import {
  connectExtensions,
  createProviderClient,
  type ExtensionsClient,
  type ProviderClient,
  type ProviderDiagnostic,
  schemaPaths,
} from '@hykube/tfplugin/protocol'
import { callFailure, guardClient, guardExtensions, type ProcessEnd } from './guarded-calls.ts'
import { LaunchedPlugin, type LaunchOptions } from './launch/launched-plugin.ts'
import { ProviderFailure } from './provider-failure.ts'
import type { PackageSchema, ProviderSession, ProviderTarget } from './provider-target.ts'
import { sensitiveStrings } from './secrets/secret-scrubber.ts'

export interface StartOptions extends Omit<LaunchOptions, 'package' | 'owner' | 'configuration'> {
  /** Returns the schemas. Called after the start, because a reattached process must be asked for them. */
  readonly schemaOf: (plugin: LaunchedPlugin) => Promise<PackageSchema>
}

/** A configured provider process. */
export class ProviderProcess {
  readonly #launched: LaunchedPlugin
  readonly session: ProviderSession
  readonly startedAt: number
  /** The number of callers that use it now. */
  users = 0
  lastUsed: number

  private constructor(launched: LaunchedPlugin, session: ProviderSession, now: number) {
    this.#launched = launched
    this.session = session
    this.startedAt = now
    this.lastUsed = now
  }

  /** Starts and configures a provider. Fails with a ProviderFailure whose `sent` is false, and then leaves no process. */
  static async start(target: ProviderTarget, options: StartOptions): Promise<ProviderProcess> {
    const launched = await LaunchedPlugin.launch({ ...options, ...target })
    try {
      const session = await prepare(launched, target, await options.schemaOf(launched), options.signal)
      return new ProviderProcess(launched, session, options.settings.clock.monotonic())
    } catch (error) {
      const failure = await callFailure(error, 'configure', {}, launched)
      await launched.stop('it could not be configured')
      throw asNotSent(failure, options.signal?.aborted === true ? 'ProviderUnavailable' : failure.reason)
    }
  }

  get ended(): Promise<ProcessEnd> {
    return this.#launched.ended
  }

  get hasEnded(): boolean {
    return this.#launched.hasEnded
  }

  /** Returns whether calls can be sent. If not, waits until the process has exited, and kills it if only its connection broke. */
  async isConnected(): Promise<boolean> {
    const { plugin, isEnding } = this.#launched
    const { over } = plugin.grpc
    if (over === undefined && !isEnding && !this.hasEnded) return true
    if (!isEnding) await this.#launched.explain(new GrpcError('UNAVAILABLE', over?.message ?? 'its process ended'))
    await this.ended
    return false
  }

  isHealthy(): Promise<boolean> {
    return this.#launched.plugin.isHealthy()
  }

  kill(end: ProcessEnd): void {
    this.#launched.kill(end)
  }

  /** Stops the process. In-flight calls are canceled with StopProvider first. */
  async stop(why: string): Promise<void> {
    if (this.hasEnded) return
    if (this.users > 0) await this.session.client.stopProvider({}, { timeout: 1000 }).catch(() => {})
    await this.#launched.stop(why)
  }
}

async function prepare(
  launched: LaunchedPlugin,
  target: ProviderTarget,
  known: PackageSchema,
  signal: AbortSignal | undefined,
): Promise<ProviderSession> {
  const options = signal === undefined ? {} : { signal }
  const { plugin } = launched
  const { config } = target.configuration
  if (config !== undefined && known.schema.provider !== undefined)
    launched.secrets.addPermanent(sensitiveStrings(config, known.schema.provider.block))
  if (!known.schema.serverCapabilities.getProviderSchemaOptional) await askForSchema(launched, options)
  const bare = createProviderClient(plugin.grpc, plugin.protocolVersion, withKnownSchema(known))
  const client = guardClient(bare, known, launched)
  const warnings = config === undefined ? [] : await configure(client, config, launched, options)
  const extensions = await extensionsOf(launched, bare, options)
  const { schema, identitySchemas } = known
  return { client, extensions, schema, identitySchemas, warnings, process: launched.identity }
}

// Providers without getProviderSchemaOptional require one schema call for each process. Its response is known already and dropped.
async function askForSchema({ plugin, deadlines }: LaunchedPlugin, options: CallOptions): Promise<void> {
  const { schema } = schemaPaths(plugin.protocolVersion)
  await plugin.grpc.unary(schema, new Uint8Array(0), { timeout: deadlines.local, ...options })
}

function withKnownSchema({ schema, identitySchemas }: PackageSchema) {
  const serverCapabilities = { ...schema.serverCapabilities, getProviderSchemaOptional: true }
  return { schema: { ...schema, serverCapabilities }, identitySchemas }
}

async function configure(
  client: ProviderClient,
  config: NonNullable<ProviderTarget['configuration']['config']> | null,
  launched: LaunchedPlugin,
  options: CallOptions,
): Promise<readonly ProviderDiagnostic[]> {
  const validated = await client.validateProviderConfig({ config }, options)
  refuseErrors(validated.diagnostics, launched)
  const request = { terraformVersion: '1.12.0', config, clientCapabilities: {} }
  const configured = await client.configureProvider(request, options)
  refuseErrors(configured.diagnostics, launched)
  return [...validated.diagnostics, ...configured.diagnostics]
}

function refuseErrors(diagnostics: readonly ProviderDiagnostic[], { named }: LaunchedPlugin): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return
  const said = errors.map(({ summary, detail, path }) => [path, summary, detail].filter(Boolean).join(': ')).join('; ')
  throw new ProviderFailure('ConfigurationRefused', `cannot configure ${named}: ${said}`, { sent: false, diagnostics })
}

async function extensionsOf(
  launched: LaunchedPlugin,
  bare: ProviderClient,
  options: CallOptions,
): Promise<ExtensionsClient | undefined> {
  const timeout = launched.deadlines.local
  const extensions = await connectExtensions(launched.plugin.grpc, bare, { timeout, ...options })
  return extensions === undefined ? undefined : guardExtensions(extensions, launched)
}

// The failure happened before the caller's own request, so that request was not sent.
function asNotSent(failure: ProviderFailure, reason: ProviderFailure['reason']): ProviderFailure {
  const { message, retryAfter, panic, status, diagnostics, cause } = failure
  return new ProviderFailure(reason, message, { sent: false, retryAfter, panic, status, diagnostics, cause })
}
