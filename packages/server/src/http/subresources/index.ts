import type { Api } from '../api.ts'
import type { EndpointHandler, EndpointHandlers } from '../resource-handler.ts'
import {
  partOfObject,
  takeConditions,
  takeContainers,
  takeEphemeralContainers,
  takeFinalizers,
} from './part-of-object.ts'
import { bindingEndpoint, evictionEndpoint, nothingRuns } from './pod-subresources.ts'
import { scaleEndpoint } from './scale.ts'

/** The endpoints of objects that are more than the object or its status. */
export function subresourceEndpoints(api: Api): EndpointHandlers {
  return new Map<string, EndpointHandler>([
    ['*/scale', scaleEndpoint(api)],
    ['/namespaces/finalize', partOfObject(api, takeFinalizers)],
    ['certificates.k8s.io/certificatesigningrequests/approval', partOfObject(api, takeConditions)],
    ['/pods/ephemeralcontainers', partOfObject(api, takeEphemeralContainers)],
    ['/pods/resize', partOfObject(api, takeContainers)],
    ['/pods/binding', bindingEndpoint(api)],
    ['/pods/eviction', evictionEndpoint(api)],
    ...['attach', 'exec', 'log', 'portforward', 'proxy'].map((name): [string, EndpointHandler] => [
      `/pods/${name}`,
      nothingRuns,
    ]),
    ['/services/proxy', nothingRuns],
    ['/nodes/proxy', nothingRuns],
  ])
}
