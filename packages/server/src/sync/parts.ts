import type { UserInfo } from '../auth/index.ts'
import type { EngineParts } from '../plans/index.ts'
import type { AskedPermission } from './permission.ts'
import type { SyncMetrics } from './sync-metrics.ts'

/** The dependencies of the sync loop. */
export interface SyncParts extends EngineParts {
  /** The logical clusters whose objects may set `lifecycle.sync`. */
  readonly clusters: Iterable<string>
  /** Reports whether a user may do something with the objects of `hykube.io` in a namespace. */
  readonly allows: (user: UserInfo, asked: AskedPermission) => boolean
  /** Author and approver of a Plan must differ, so that the server approves nothing. */
  readonly demandsSecond: boolean
  /** A number from 0 up to 1. Default: Math.random. */
  readonly random?: () => number
  readonly metrics: SyncMetrics
}
