import type { Clock } from '@hykube/machinery/base'
import type { AdmissionChain } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { ObjectStore, TypeRegistry, WatchHub } from '../resource/index.ts'
import type { NamespaceGuard } from './namespace-guard.ts'

/** Dependencies of the verbs. */
export interface Api {
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly types: TypeRegistry
  readonly namespaces: NamespaceGuard
  readonly admission: AdmissionChain
  readonly authorizer: Authorizer
  readonly clock: Clock
  /** Time that a watch waits for a client that does not read, in milliseconds. Default 30 s. */
  readonly watchWriteTimeout?: number
}
