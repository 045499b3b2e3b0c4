import type { Clock } from '@hykube/machinery/base'
import type { UserInfo } from '../auth/index.ts'
import type { Estate, EstateReader } from '../estate/index.ts'
import type { ConfiguredProviders } from '../evaluation/index.ts'
import type { ProcessFacts } from '../model/index.ts'
import type { ServedKinds } from '../provider-kinds/index.ts'
import type { ObjectStore, WatchHub } from '../resource/index.ts'

/** The steps around a provider call at which a crash has different effects. */
export type JournalStep =
  | 'before-intent'
  | 'after-intent'
  | 'after-answer'
  | 'after-result'
  | 'recovering'
  | 'before-wave'
  | 'after-wave'

/** The dependencies of the engine. */
export interface EngineParts {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly hub: WatchHub
  readonly kinds: ServedKinds
  readonly providers: ConfiguredProviders
  readonly reader: EstateReader
  readonly clock: Clock
  /** Returns why a user may not use a Provider; undefined when the user may. Default: every user may use every Provider. */
  readonly refusesUse?: (user: UserInfo, cluster: string, provider: string) => Promise<string | undefined>
  /** True when a write failed because another server has become the leader. Default: there is no other server. */
  readonly isFencedOff?: (error: unknown) => boolean
  /** The timeout of an apply call, in milliseconds. */
  readonly longestCall: number
  /** The revision at which the store was restored from a backup. Default: it never was. */
  readonly restoredAt?: number | undefined
  /** Ends a provider process that an earlier server on this machine started, if it still runs. */
  readonly endProcess: (process: ProcessFacts) => Promise<unknown>
  /** The time for which finished plans are kept, in milliseconds. Default: 30 days. */
  readonly planRetention?: number
  /**
   * Called and awaited at each step of the journal, with the address. For tests that kill the server at that step.
   */
  readonly reached?: (step: JournalStep, address: string) => Promise<void> | undefined
  /** Reports an error of the background work. */
  readonly report: (message: string) => void
}
