import type { Clock } from '@hykube/machinery/base'
import type { Estate } from '../estate/index.ts'
import type { ProcessFacts } from '../plan/index.ts'
import type { ObjectStore, SeenObject, WatchHub } from '../resource/index.ts'
import type { EstateReader } from './estate-reader.ts'
import type { ServedKinds } from './kind-catalogue.ts'
import type { EngineProviders } from './providers.ts'

/** What the engine works with. */
export interface EngineParts {
  readonly objects: ObjectStore
  readonly estate: Estate
  readonly hub: WatchHub
  readonly kinds: ServedKinds
  readonly providers: EngineProviders
  readonly reader: EstateReader
  readonly clock: Clock
  /** Rows that must be as they were for anything to be begun: that this server is still the one that applies plans. Default: none. */
  readonly fence?: readonly SeenObject[]
  /** What was written up to this revision was written before the store was restored. Default: it never was. */
  readonly restoredAt?: number | undefined
  /** Ends a provider's process that an earlier server of this machine started, if it still runs. */
  readonly endProcess: (process: ProcessFacts) => Promise<unknown>
  /** How long finished plans are kept, in milliseconds. Default: 30 days. */
  readonly planRetention?: number
  /** Told what went wrong in the background. */
  readonly report: (message: string) => void
}
