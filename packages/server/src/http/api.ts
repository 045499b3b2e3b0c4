import type { Clock } from '@hykube/machinery/base'
import type { AdmissionChain } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { ObjectStore, TypeRegistry, WatchHub } from '../resource/index.ts'
import type { NamespaceGuard } from './namespace-guard.ts'

/** What the verbs work on. */
export interface Api {
  readonly objects: ObjectStore
  readonly hub: WatchHub
  readonly types: TypeRegistry
  readonly namespaces: NamespaceGuard
  readonly admission: AdmissionChain
  readonly authorizer: Authorizer
  readonly clock: Clock
  /** How long a watch waits for a client that does not read, in milliseconds. Default 30 s. */
  readonly watchPatience?: number
}
