import type { Clock } from '@hykube/machinery/base'
import type { AdmissionUser } from '../admission/index.ts'
import type { Estate } from '../estate/index.ts'
import type { ProcessFacts } from '../plan/index.ts'
import type { ObjectStore, WatchHub } from '../resource/index.ts'
import type { EstateReader } from './estate-reader.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import type { EngineProviders } from './providers.ts'

/** Where a crash makes a difference. */
export type JournalStep =
  | 'before-intent'
  | 'after-intent'
  | 'after-answer'
  | 'after-result'
  | 'recovering'
  | 'before-wave'
  | 'after-wave'

/** What the engine works with. */
export interface EngineParts {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly hub: WatchHub
  readonly kinds: ServedKinds
  readonly providers: EngineProviders
  readonly reader: EstateReader
  readonly clock: Clock
  /** Why a user may not use a Provider; undefined when the user may. Default: everyone may use each of them. */
  readonly refusesUse?: (user: AdmissionUser, cluster: string, provider: string) => Promise<string | undefined>
  /** Whether a write was refused because another server applies plans now. Default: there is no other. */
  readonly isFencedOff?: (error: unknown) => boolean
  /** How long a call that changes something may take, in milliseconds. */
  readonly longestCall: number
  /** What was written up to this revision was written before the store was restored. Default: it never was. */
  readonly restoredAt?: number | undefined
  /** Ends a provider's process that an earlier server of this machine started, if it still runs. */
  readonly endProcess: (process: ProcessFacts) => Promise<unknown>
  /** How long finished plans are kept, in milliseconds. Default: 30 days. */
  readonly planRetention?: number
  /**
   * Told of each step of the journal as it is reached, with the address it is about, and waited for. For tests that kill the server
   * just there.
   */
  readonly reached?: (step: JournalStep, address: string) => Promise<void> | undefined
  /** Told what went wrong in the background. */
  readonly report: (message: string) => void
}
