import type { JsonObject } from '@hykube/machinery/json'
import { inside } from './draft.ts'

/** A service that has an address says what family it is of. Addresses themselves are given out before. */
export function withAddressFamilies(service: JsonObject): JsonObject {
  const spec = inside(service, 'spec')
  if ((spec.type ?? 'ClusterIP') === 'ExternalName' || !spec.clusterIP) return service
  return {
    ...service,
    spec: {
      ...spec,
      clusterIPs: Array.isArray(spec.clusterIPs) && spec.clusterIPs.length > 0 ? spec.clusterIPs : [spec.clusterIP],
      ipFamilies: spec.ipFamilies ?? ['IPv4'],
      ipFamilyPolicy: spec.ipFamilyPolicy ?? 'SingleStack',
    },
  }
}
