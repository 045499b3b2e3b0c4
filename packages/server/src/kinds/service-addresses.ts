import type { JsonObject } from '@hykube/machinery/json'
import { inside } from './draft.ts'

/** Adds the IP families of a service's addresses. The addresses were allocated before. */
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
