import type { Clock } from '@hykube/machinery/base'
import type { Estate } from '../estate/index.ts'
import type { ObjectStore, WatchHub } from '../resource/index.ts'
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
  /** Told what went wrong in the background. */
  readonly report: (message: string) => void
}
