import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import { inside, items } from './draft.ts'

/**
 * A service with an address, and with ports on nodes where its type wants them. Nothing routes here, so both only have to
 * look right: they follow from the object's uid, out of the ranges that Kubernetes has by default.
 */
export function withAddresses(service: JsonObject): JsonObject {
  const spec = inside(service, 'spec')
  const type = spec.type ?? 'ClusterIP'
  if (type === 'ExternalName') return service
  const uid = String(inside(service, 'metadata').uid ?? '')
  const clusterIP = spec.clusterIP || addressFrom(uid)
  const ports =
    type === 'ClusterIP' ? spec.ports : items(service, 'spec', 'ports').map((port, at) => withNodePort(port, uid, at))
  return {
    ...service,
    spec: {
      ...spec,
      ...(ports === undefined ? {} : { ports: ports as JsonValue }),
      clusterIP,
      clusterIPs: Array.isArray(spec.clusterIPs) && spec.clusterIPs.length > 0 ? spec.clusterIPs : [clusterIP],
      ipFamilies: spec.ipFamilies ?? ['IPv4'],
      ipFamilyPolicy: spec.ipFamilyPolicy ?? 'SingleStack',
    },
  }
}

/** The service with the address it had, where the writer leaves it out. */
export function keepAddresses(service: JsonObject, old: JsonObject): JsonObject {
  const spec = inside(service, 'spec')
  const before = inside(old, 'spec')
  if (spec.clusterIP || !before.clusterIP || spec.type === 'ExternalName') return service
  return {
    ...service,
    spec: { ...spec, clusterIP: before.clusterIP, clusterIPs: before.clusterIPs ?? [before.clusterIP] },
  }
}

// 10.96.0.0/12, without the first addresses, which are the API's own.
function addressFrom(uid: string): string {
  const host = 16 + (hash(uid) % (2 ** 20 - 32))
  return `10.${96 + (host >>> 16)}.${(host >>> 8) & 255}.${host & 255}`
}

function withNodePort(port: JsonObject, uid: string, at: number): JsonObject {
  return port.nodePort ? port : { ...port, nodePort: 30_000 + (hash(`${uid}/${at}`) % 2768) }
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
