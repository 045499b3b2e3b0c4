/** A client of a Kubernetes API over any transport: objects, lists, watches, patches and discovery. */
export { Client, type ClientOptions, type ObjectList, type Stored } from './client.ts'
export type { ApiResource, Discovered, DiscoveryFailure } from './discovery.ts'
export { ExpiredListError, failedWith } from './failure.ts'
export type {
  DeleteOptions,
  ListOptions,
  ObjectForm,
  Patch,
  RequestOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from './options.ts'
export { queryFrom } from './options.ts'
export { describePlace, type ObjectAt, type ResourceAt, resourcePath } from './resource-path.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export type { WatchEvent } from './watch-stream.ts'
