/** Takes over existing resources: imports, state files, and decisions about calls with unknown outcome. */
export { resourceEndpoints } from './resource-endpoints.ts'
export { stateEndpoints } from './state-endpoints.ts'
