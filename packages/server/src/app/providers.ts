import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@hykube/machinery/base'
import { parseReattachProviders } from '@hykube/tfplugin/handshake'
import { EgressGuard } from '../egress/index.ts'
import {
  type BuiltInProvider,
  credentialsFromEnvironment,
  ProcessIsolation,
  ProviderInstaller,
  ProviderProcesses,
  providerArea,
  sourcePolicy,
} from '../provider/index.ts'
import type { Logger } from './logs/logger.ts'
import { providerLog, providerLogLevel } from './logs/provider-log.ts'
import type { ProviderLimits } from './provider-limits.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** The installer and the process pool of providers. */
export interface ProviderParts {
  readonly installer: ProviderInstaller
  readonly processes: ProviderProcesses
}

export function createProviderParts(options: CompleteServeOptions, logger: Logger, clock: Clock): ProviderParts {
  const directory = join(options.dataDirectory, 'providers')
  const area = providerArea(options.dataDirectory)
  const { env } = process
  const logLevel = providerLogLevel(options.verbosity)
  closeFiles(options.dataDirectory)
  if (area !== directory) claimArea(area)
  const isolation = new ProcessIsolation({
    area,
    uids: options.providerUids,
    paths: options.providerPaths,
    open: () => allowTraversal(options.dataDirectory, area),
  })
  for (const gap of isolation.gaps) logger.error(gap)
  return {
    installer: new ProviderInstaller({
      cacheDirectory: join(area, 'packages'),
      defaultHost: options.providerRegistry,
      providerDirectories: options.providerDirectories,
      builtIns: builtInProviders(options.version),
      credentials: credentialsFromEnvironment(env),
      sources: sourcePolicy(options.providerSources, options.providerRegistry),
      egress: new EgressGuard(options.egressAllow, proxyHosts(env)),
      proxyEnvironment: env,
      limits: { idleTimeout: options.providerLimits.fetchTimeout },
      clock,
    }),
    processes: new ProviderProcesses({
      schemaDirectory: join(directory, 'schemas'),
      pidDirectory: join(directory, 'running'),
      isolation,
      environment: env,
      memoryLimit: options.providerLimits.memory,
      answerLimit: options.providerLimits.answer,
      deadlines: deadlinesOf(options.providerLimits),
      reattach: parseReattachProviders(env.TF_REATTACH_PROVIDERS || '{}'),
      onLog: providerLog(logger, clock),
      ...(logLevel !== undefined && { logLevel }),
      clock,
    }),
  }
}

/** Returns the working directory of a provider process. */
export function providerDirectory(options: CompleteServeOptions, ...names: readonly string[]): string {
  return join(providerArea(options.dataDirectory), 'work', ...names)
}

// The uids of provider processes may traverse the data directory, so its files must be accessible to the server only.
function closeFiles(dataDirectory: string): void {
  for (const name of readdirSync(dataDirectory)) {
    const path = join(dataDirectory, name)
    const { mode } = lstatSync(path)
    const isLink = (mode & 0o170000) === 0o120000
    if (name !== 'providers' && !isLink && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  }
}

// The path of an area outside the data directory is predictable, so one that another user created is rejected.
function claimArea(area: string): void {
  mkdirSync(area, { recursive: true, mode: 0o711 })
  const { uid, mode } = lstatSync(area)
  if (uid !== process.getuid?.() || (mode & 0o170000) !== 0o040000 || (mode & 0o022) !== 0)
    throw new Error(`${area} must be owned by the server's user and not writable by other users; remove it`)
}

// Runs before the first provider starts: lets its uid traverse, but not list, the data directory; or links working directories that are
// outside of it.
function allowTraversal(dataDirectory: string, area: string): void {
  const inside = join(dataDirectory, 'providers')
  if (area === inside) {
    chmodSync(dataDirectory, 0o711)
    return
  }
  mkdirSync(inside, { recursive: true, mode: 0o700 })
  try {
    symlinkSync(join(area, 'work'), join(inside, 'work'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function proxyHosts(env: Readonly<Record<string, string | undefined>>): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].flatMap((name) => {
    const text = env[name] ?? ''
    return URL.canParse(text) ? [new URL(text).hostname] : []
  })
}

// Calls without remote requests get at most two minutes.
function deadlinesOf({ callTimeout: read, applyTimeout: apply }: ProviderLimits) {
  const own = Math.min(read, 120_000)
  return { local: own, configure: own, read, apply }
}

// In a clone the providers use the source of the packages beside them; in a published package each is bundled with all its code. The files
// determine the hash of the provider package.
function builtInProviders(version: string): ReadonlyMap<string, BuiltInProvider> {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const shared = ['packages/provider-sdk/src', 'packages/tfplugin/src', 'packages/machinery/src'].map((each) =>
    join(root, each),
  )
  const builtIn = (name: string): [string, BuiltInProvider] => {
    const own = join(root, 'providers', name)
    const executable = join(own, 'bin', `terraform-provider-${name}`)
    const source = join(own, 'src')
    return [
      `hykube/${name}`,
      { version, executable, files: existsSync(source) ? [source, join(own, 'bin'), ...shared] : [own] },
    ]
  }
  return new Map([builtIn('sim'), builtIn('script')])
}
