import { type Clock, systemClock } from '@hykube/machinery/base'
import type { LogLevel, ReattachTarget } from '@hykube/tfplugin/handshake'
import type { ProcessIsolation } from './launch/isolation.ts'
import type { ProviderLog } from './provider-target.ts'

/** Settings of provider processes. Times in milliseconds, sizes in bytes. */
export interface ProcessSettings {
  /** The directory of cached schemas, so that a restart of the server needs no provider process. */
  readonly schemaDirectory: string
  /** The directory of pid files, so that orphans of a killed server can be killed. Default: none are written. */
  readonly pidDirectory?: string
  /** The server's environment. Only an allowlist of variables is passed to providers. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Running providers to connect to instead of starting them, by full address (TF_REATTACH_PROVIDERS). Default: none. */
  readonly reattach?: ReadonlyMap<string, ReattachTarget>
  /** Called for every log line of a provider; must not throw. Default: logs are dropped. */
  readonly onLog?: (log: ProviderLog) => void
  /** The log level of providers (TF_LOG_PROVIDER). Default: the provider's own. */
  readonly logLevel?: LogLevel
  /** Users, privileges and limits of processes. Default: processes run as the server's user. */
  readonly isolation?: ProcessIsolation
  /** The maximum number of running processes. Default 32. */
  readonly maxProcesses?: number
  /** The time after which an unused process is stopped. Default 300,000. */
  readonly idleTimeout?: number
  /** The maximum memory of a process and its children, on Linux. Default 4 GiB. */
  readonly memoryLimit?: number
  /** The interval of memory checks. Default 500. */
  readonly memoryInterval?: number
  /**
   * The maximum size of one response. Default 8 MiB. Schemas and batches may have four times this size, and all responses
   * in flight together eight times.
   */
  readonly answerLimit?: number
  /** The time for start and handshake. Default 60,000. */
  readonly startTimeout?: number
  /** The time for a process to exit after it was asked to, before it is killed. Default 2,000. */
  readonly stopGrace?: number
  /** The idle time after which a process must pass a health check before it is used again. Default 30,000. */
  readonly healthAfter?: number
  /** The delay before the second restart of a failing provider; it doubles with each further one. Default 1,000. */
  readonly restartDelay?: number
  /** The upper limit of that delay. Default 300,000. */
  readonly maxRestartDelay?: number
  /** The lifetime after which a process counts as stable: its exit resets the number of failures. Default 60,000. */
  readonly stableAfter?: number
  readonly deadlines?: Partial<CallDeadlines>
  readonly clock?: Clock
}

/** Default timeouts of calls. */
export interface CallDeadlines {
  /** Schemas, validation, upgrades: calls that need no request to the remote service. Default 120,000. */
  readonly local: number
  /** Configuration. Default 120,000. */
  readonly configure: number
  /** Reading, planning, importing and listing. Default 1,200,000. */
  readonly read: number
  /** Applying, which takes hours for some resources. Default 21,600,000. */
  readonly apply: number
}

export type CompleteProcessSettings = Required<
  Omit<ProcessSettings, 'logLevel' | 'pidDirectory' | 'deadlines' | 'isolation'>
> & {
  readonly isolation: ProcessIsolation | undefined
  readonly logLevel: LogLevel | undefined
  readonly pidDirectory: string | undefined
  readonly deadlines: CallDeadlines
}

/** Fills in the defaults. */
export function completeProcessSettings(given: ProcessSettings): CompleteProcessSettings {
  return {
    schemaDirectory: given.schemaDirectory,
    pidDirectory: given.pidDirectory,
    isolation: given.isolation,
    environment: given.environment,
    reattach: given.reattach ?? new Map(),
    onLog: given.onLog ?? (() => {}),
    logLevel: given.logLevel,
    maxProcesses: given.maxProcesses ?? 32,
    idleTimeout: given.idleTimeout ?? 300_000,
    memoryLimit: given.memoryLimit ?? 4 * 2 ** 30,
    memoryInterval: given.memoryInterval ?? 500,
    answerLimit: given.answerLimit ?? 8 * 2 ** 20,
    startTimeout: given.startTimeout ?? 60_000,
    stopGrace: given.stopGrace ?? 2000,
    healthAfter: given.healthAfter ?? 30_000,
    restartDelay: given.restartDelay ?? 1000,
    maxRestartDelay: given.maxRestartDelay ?? 300_000,
    stableAfter: given.stableAfter ?? 60_000,
    deadlines: { ...defaultDeadlines, ...given.deadlines },
    clock: given.clock ?? systemClock,
  }
}

const defaultDeadlines: CallDeadlines = { local: 120_000, configure: 120_000, read: 1_200_000, apply: 21_600_000 }
