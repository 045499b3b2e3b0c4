/** The public API for controllers on Node: the entry point `hykube/runtime` of the published package. */
export type { Clock } from '@hykube/machinery/base'
export type { Condition, KubernetesObject, ObjectMeta, OwnerReference } from '@hykube/machinery/object'
export { clusterAnnotation, findCondition, withCondition, withoutCondition } from '@hykube/machinery/object'
export { type Reason, type Status, StatusError } from '@hykube/machinery/status'
export {
  type ApiResource,
  Client,
  type ClientOptions,
  type DeleteOptions,
  type Discovered,
  type DiscoveryFailure,
  describePlace,
  ExpiredListError,
  failedWith,
  type ListOptions,
  type ObjectAt,
  type ObjectForm,
  type ObjectList,
  type Patch,
  type RequestOptions,
  type ResourceAt,
  type SelectOptions,
  type Stored,
  type Transport,
  type TransportRequest,
  type TransportResponse,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from './client/index.ts'
export {
  type ClusterAccess,
  ConnectionError,
  createHttpsTransport,
  type HttpsTransport,
  type KubeconfigChoice,
  KubeconfigError,
  kubeconfigFiles,
  loadKubeconfig,
} from './client/node/index.ts'
export {
  type ControllerLogger,
  type ControllerOptions,
  type Reconcile,
  type ReconcileResult,
  runController,
  WorkQueue,
  type WorkQueueOptions,
} from './controller/index.ts'
export {
  type Followed,
  type FollowOptions,
  follow,
  type IndexFunction,
  Informer,
  type InformerEvent,
  type InformerHandler,
  type InformerOptions,
  type ObjectRef,
  refFromKey,
  refOf,
  refToKey,
} from './informer/index.ts'
