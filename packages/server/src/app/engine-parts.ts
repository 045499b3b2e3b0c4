import { hostname } from 'node:os'
import { systemClock } from '@hykube/machinery/base'
import { FencedOff } from '../coordination/index.ts'
import type { Estate } from '../estate/index.ts'
import { EstateReader } from '../estate/index.ts'
import { type EngineParts, reportEndedProcesses } from '../plans/index.ts'
import { endProcess, isAlive, type RunningProvider } from '../provider/index.ts'
import { ProviderRuntime, type ProviderUse, type ServedKinds, ServedProviders } from '../provider-kinds/index.ts'
import type { ObjectStore, TypeRegistry, WatchHub } from '../resource/index.ts'
import { faultPoints } from './fault-points.ts'
import { giveBackMemory } from './give-back-memory.ts'
import type { Logger } from './logs/logger.ts'
import { createProviderParts, providerDirectory } from './providers.ts'
import type { CompleteServeOptions } from './serve-options.ts'
import { defaultWorld, worldRefusal } from './sim-worlds.ts'
import type { Stopping } from './stopping.ts'

interface EnginePartsOptions {
  readonly options: CompleteServeOptions
  readonly logger: Logger
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly estate: Estate
  /** The keyed hash of the store. */
  readonly hash: (text: string) => string
  readonly kinds: ServedKinds
  readonly types: TypeRegistry
  readonly use: ProviderUse
  readonly report: (message: string) => void
}

/** The dependencies of the engine, and the list of running providers. */
export interface StartedEngineParts extends EngineParts {
  /** Lists the running provider processes. */
  readonly runningProviders: () => Promise<readonly RunningProvider[]>
}

/** Starts serving Providers and creates the dependencies of the engine. */
export async function startEngineParts(given: EnginePartsOptions, stopping: Stopping): Promise<StartedEngineParts> {
  const { options, logger, objects, hub, estate, hash, kinds, types, report } = given
  const clock = systemClock
  const { installer, processes } = createProviderParts(options, logger, clock)
  await processes.killOrphans()
  stopping.add(reportEndedRegularly(estate, report))
  stopping.add(() => processes.close())
  stopping.add(async () => installer.close())
  const served = await ServedProviders.open({
    ...{ objects, estate, hub, types, kinds, installer, processes, clock, report },
    giveBackMemory,
  })
  stopping.add(() => served.close())
  const providers = new ProviderRuntime({
    objects,
    hash,
    hub,
    processes,
    served: (cluster, provider) => served.find(cluster, provider),
    workDirectory: (cluster, provider, configuration) => providerDirectory(options, cluster, provider, configuration),
    allowsLocalScripts: options.allowLocalScripts,
    defaults: (cluster, provider, source) =>
      source.endsWith('hykube/sim') ? { world: defaultWorld(options.dataDirectory, cluster, provider) } : {},
    refusal: (configuration) => worldRefusal(options, configuration),
  })
  stopping.add(async () => providers.close())
  const reader = new EstateReader(kinds, objects, estate, providers, hash)
  const isFencedOff = (error: unknown) => error instanceof FencedOff
  const longestCall = options.providerLimits.applyTimeout
  const reached = faultPoints(process.env.HYKUBE_FAULT_POINTS)
  return {
    objects,
    estate,
    hub,
    kinds,
    providers,
    reader,
    clock,
    report,
    endProcess,
    refusesUse: (user, cluster, provider) => given.use.refusal(user, cluster, provider),
    isFencedOff,
    longestCall,
    ...(reached !== undefined && { reached }),
    runningProviders: () => processes.list(),
  }
}

// Runs on every server, because only the machine of a process knows that the process has ended.
function reportEndedRegularly(estate: Estate, report: (message: string) => void): () => Promise<void> {
  const check = () => reportEndedProcesses(estate, hostname(), isAlive).catch((error: Error) => report(error.message))
  const timer = setInterval(() => void check(), endedEvery)
  timer.unref()
  return async () => clearInterval(timer)
}

// Milliseconds between checks for ended processes.
const endedEvery = 15_000
