import type { Api } from '../api.ts'
import type { EndpointHandler, EndpointHandlers } from '../resource-handler.ts'
import {
  partOfObject,
  updateConditions,
  updateContainers,
  updateEphemeralContainers,
  updateFinalizers,
} from './part-of-object.ts'
import { bindingEndpoint, evictionEndpoint, requiresRunningContainer } from './pod-subresources.ts'
import { scaleEndpoint } from './scale.ts'

/** Returns the handlers of subresources other than status. */
export function subresourceEndpoints(api: Api): EndpointHandlers {
  return new Map<string, EndpointHandler>([
    ['*/scale', scaleEndpoint(api)],
    ['/namespaces/finalize', partOfObject(api, updateFinalizers)],
    ['certificates.k8s.io/certificatesigningrequests/approval', partOfObject(api, updateConditions)],
    ['/pods/ephemeralcontainers', partOfObject(api, updateEphemeralContainers)],
    ['/pods/resize', partOfObject(api, updateContainers)],
    ['/pods/binding', bindingEndpoint(api)],
    ['/pods/eviction', evictionEndpoint(api)],
    ...['attach', 'exec', 'log', 'portforward', 'proxy'].map((name): [string, EndpointHandler] => [
      `/pods/${name}`,
      requiresRunningContainer,
    ]),
    ['/services/proxy', requiresRunningContainer],
    ['/nodes/proxy', requiresRunningContainer],
  ])
}
