import { type Clock, systemClock } from '@hykube/machinery/base'
import type { LogLevel, ReattachTarget } from '@hykube/tfplugin/handshake'
import type { ProcessIsolation } from './isolation.ts'
import type { ProviderLog } from './provider-target.ts'

/** Times are in milliseconds, sizes in bytes. */
export interface ProcessSettings {
  /** Where schemas are kept, so that a restart need not start providers. */
  readonly schemaDirectory: string
  /** Where running processes are noted, so that what a killed server left can be ended. Default: nowhere. */
  readonly ledgerDirectory?: string
  /** The server's own environment, of which the few harmless variables are passed on. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Providers that somebody else runs, by their full address, as TF_REATTACH_PROVIDERS names them. Default none. */
  readonly reattach?: ReadonlyMap<string, ReattachTarget>
  /** Called for everything that providers say; must not throw. Default: nobody listens. */
  readonly onLog?: (log: ProviderLog) => void
  /** How much providers are asked to say. Default: what they say by themselves. */
  readonly logLevel?: LogLevel
  /** Users, privileges and limits of processes. Default: processes run as the server does. */
  readonly isolation?: ProcessIsolation
  /** How many processes run at one time. Default 32. */
  readonly mostProcesses?: number
  /** How long a process that nobody uses is kept. Default 300,000. */
  readonly idleTime?: number
  /** How much memory a process may have together with all that it started, on Linux. Default 4 GiB. */
  readonly memoryLimit?: number
  /** How often that is looked at. Default 500. */
  readonly memoryInterval?: number
  /**
   * The largest answer to one call. Default 16 MiB. Schemas and batches may be four times that, and answers that are under
   * way may hold eight times that together.
   */
  readonly answerLimit?: number
  /** Until a process must be ready. Default 60,000. */
  readonly startTime?: number
  /** How long a process has to end by itself when it is asked to. Default 2,000. */
  readonly stopGrace?: number
  /** After how much idleness a process is asked whether it is well before it is used. Default 30,000. */
  readonly healthAfter?: number
  /** Waits between starts of a provider that keeps failing: none, this long, then twice as long each time. Default 1,000. */
  readonly restartWait?: number
  /** The longest of these waits. Default 300,000. */
  readonly longestRestartWait?: number
  /** How long a process must have lived for its end to count as the first. Default 60,000. */
  readonly steadyAfter?: number
  readonly deadlines?: Partial<CallDeadlines>
  readonly clock?: Clock
}

/** How long calls may take that bring no deadline of their own. */
export interface CallDeadlines {
  /** Schemas, validation, upgrades and whatever else does not leave the provider. Default 120,000. */
  readonly local: number
  /** Configuration. Default 120,000. */
  readonly configure: number
  /** Reading, planning, importing and listing. Default 1,200,000. */
  readonly read: number
  /** Applying, which providers give hours. Default 21,600,000. */
  readonly apply: number
}

export type CompleteProcessSettings = Required<
  Omit<ProcessSettings, 'logLevel' | 'ledgerDirectory' | 'deadlines' | 'isolation'>
> & {
  readonly isolation: ProcessIsolation | undefined
  readonly logLevel: LogLevel | undefined
  readonly ledgerDirectory: string | undefined
  readonly deadlines: CallDeadlines
}

/** Settings with all their defaults. */
export function completeProcessSettings(given: ProcessSettings): CompleteProcessSettings {
  return {
    schemaDirectory: given.schemaDirectory,
    ledgerDirectory: given.ledgerDirectory,
    isolation: given.isolation,
    environment: given.environment,
    reattach: given.reattach ?? new Map(),
    onLog: given.onLog ?? (() => {}),
    logLevel: given.logLevel,
    mostProcesses: given.mostProcesses ?? 32,
    idleTime: given.idleTime ?? 300_000,
    memoryLimit: given.memoryLimit ?? 4 * 2 ** 30,
    memoryInterval: given.memoryInterval ?? 500,
    answerLimit: given.answerLimit ?? 16 * 2 ** 20,
    startTime: given.startTime ?? 60_000,
    stopGrace: given.stopGrace ?? 2000,
    healthAfter: given.healthAfter ?? 30_000,
    restartWait: given.restartWait ?? 1000,
    longestRestartWait: given.longestRestartWait ?? 300_000,
    steadyAfter: given.steadyAfter ?? 60_000,
    deadlines: { ...defaultDeadlines, ...given.deadlines },
    clock: given.clock ?? systemClock,
  }
}

const defaultDeadlines: CallDeadlines = { local: 120_000, configure: 120_000, read: 1_200_000, apply: 21_600_000 }
