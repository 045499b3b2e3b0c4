import type { KubernetesObject } from '@hykube/machinery/object'
import { type ServicePort, type ServiceSpec, specOf } from './claims.ts'

/**
 * Keeps addresses and ports of a service that an update leaves out, and drops those that its new type does not have.
 */
export function keepAddresses(service: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const before = specOf(old)
  const spec = specOf(service)
  const address = keptAddress(spec, before)
  const ports = keptPorts(spec, before)
  return {
    ...service,
    spec: { ...spec, ...address, ...(ports === undefined ? {} : { ports }), ...keptCheck(spec, before) },
  }
}

/** True when services of this type have node ports. */
export function needsNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)
}

/** True when a service has a health check node port. */
export function needsHealthCheckPort({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
}

function keptAddress(spec: ServiceSpec, before: ServiceSpec): Partial<ServiceSpec> {
  const had = before.clusterIP ?? ''
  if (spec.type === 'ExternalName') {
    // An address that the update did not set is dropped together with the old type.
    return had !== '' && spec.clusterIP === had ? { clusterIP: '', clusterIPs: [] } : {}
  }
  if (spec.clusterIP || had === '' || before.type === 'ExternalName') return {}
  return { clusterIP: had, clusterIPs: before.clusterIPs ?? [had] }
}

function keptPorts(spec: ServiceSpec, before: ServiceSpec): readonly ServicePort[] | undefined {
  const had = new Map((before.ports ?? []).map((port) => [keyOf(port), port.nodePort]))
  if (spec.ports == null) return undefined
  if (!mayHaveNodePorts(spec)) {
    if (!mayHaveNodePorts(before)) return spec.ports
    return spec.ports.map(({ nodePort, ...port }) =>
      nodePort === had.get(keyOf(port)) || !nodePort ? port : { ...port, nodePort },
    )
  }
  if (!needsNodePorts(spec)) return spec.ports
  const used = new Set(spec.ports.map(({ nodePort }) => nodePort))
  return spec.ports.map((port) => {
    const kept = had.get(keyOf(port))
    return port.nodePort || !kept || used.has(kept) ? port : { ...port, nodePort: kept }
  })
}

function keptCheck(spec: ServiceSpec, before: ServiceSpec): Partial<ServiceSpec> {
  if (!needsHealthCheckPort(spec))
    return spec.healthCheckNodePort === before.healthCheckNodePort ? { healthCheckNodePort: 0 } : {}
  return spec.healthCheckNodePort || !before.healthCheckNodePort
    ? {}
    : { healthCheckNodePort: before.healthCheckNodePort }
}

function mayHaveNodePorts({ type }: ServiceSpec): boolean {
  return type === 'NodePort' || type === 'LoadBalancer'
}

function keyOf({ port, protocol = 'TCP' }: ServicePort): string {
  return `${protocol}/${port}`
}
