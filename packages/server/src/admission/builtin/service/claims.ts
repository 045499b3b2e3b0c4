import type { KubernetesObject } from '@hykube/machinery/object'

/** An address or port that only one service of a logical cluster can have. */
export interface Claim {
  readonly range: 'cluster-ip' | 'node-port'
  readonly value: string
}

/** Addresses and node ports of a service, without duplicates. */
export function claimsOf(service: KubernetesObject | undefined): Claim[] {
  const { type, clusterIP, clusterIPs, ports, healthCheckNodePort } = specOf(service)
  if (type === 'ExternalName') return []
  const addresses = new Set([clusterIP, ...(clusterIPs ?? [])].filter((address) => isAddress(address)))
  const nodePorts = new Set([healthCheckNodePort, ...(ports ?? []).map(({ nodePort }) => nodePort)].filter(Boolean))
  return [
    ...[...addresses].map((address) => ({ range: 'cluster-ip' as const, value: address! })),
    ...[...nodePorts].map((port) => ({ range: 'node-port' as const, value: String(port) })),
  ]
}

/** The fields of a service that contain addresses and ports. */
export interface ServiceSpec {
  readonly type?: string
  readonly clusterIP?: string
  readonly clusterIPs?: readonly string[] | null
  readonly ports?: readonly ServicePort[] | null
  readonly externalTrafficPolicy?: string
  readonly allocateLoadBalancerNodePorts?: boolean
  readonly healthCheckNodePort?: number
}

export interface ServicePort {
  readonly port?: number
  readonly protocol?: string
  readonly nodePort?: number
}

export function specOf(service: KubernetesObject | undefined): ServiceSpec {
  return (service?.spec ?? {}) as ServiceSpec
}

function isAddress(address: string | undefined): boolean {
  return address !== undefined && address !== '' && address !== 'None'
}
