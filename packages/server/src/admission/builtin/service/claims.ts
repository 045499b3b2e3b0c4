import type { KubernetesObject } from '@hykube/machinery/object'

/** Something that only one service of a logical cluster can have. */
export interface Claim {
  readonly range: 'cluster-ip' | 'node-port'
  readonly value: string
}

/** What a service holds: its addresses and its ports on nodes, each once. */
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

/** The fields of a service that claims are about. */
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
