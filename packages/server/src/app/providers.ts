import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '@hykube/machinery/base'
import { parseReattachProviders } from '@hykube/tfplugin/handshake'
import {
  type BuiltInProvider,
  credentialsFromEnvironment,
  ProviderInstaller,
  ProviderProcesses,
} from '../provider/index.ts'
import type { Logger } from './logger.ts'
import type { ProviderLimits } from './provider-limits.ts'
import { providerLog, providerLogLevel } from './provider-log.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** How providers are installed and run, as a server's options say. */
export interface ProviderParts {
  readonly installer: ProviderInstaller
  readonly processes: ProviderProcesses
}

export function createProviderParts(options: CompleteServeOptions, logger: Logger, clock: Clock): ProviderParts {
  const directory = join(options.dataDirectory, 'providers')
  const { env } = process
  const logLevel = providerLogLevel(options.verbosity)
  return {
    installer: new ProviderInstaller({
      cacheDirectory: join(directory, 'packages'),
      defaultHost: options.providerRegistry,
      providerDirectories: options.providerDirectories,
      builtIns: builtInProviders(options.version),
      credentials: credentialsFromEnvironment(env),
      proxyEnvironment: env,
      limits: { silence: options.providerLimits.fetchTimeout },
      clock,
    }),
    processes: new ProviderProcesses({
      schemaDirectory: join(directory, 'schemas'),
      ledgerDirectory: join(directory, 'running'),
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

/** Where the process of a provider runs. */
export function providerDirectory(options: CompleteServeOptions, ...names: readonly string[]): string {
  return join(options.dataDirectory, 'providers', 'work', ...names)
}

// What a provider does by itself takes seconds; it need not be given as long as what it asks others for.
function deadlinesOf({ callTimeout: read, applyTimeout: apply }: ProviderLimits) {
  const own = Math.min(read, 120_000)
  return { local: own, configure: own, read, apply }
}

// In a clone they lie beside the packages, whose code is a part of them; a published package has each bundled with all of its code.
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
