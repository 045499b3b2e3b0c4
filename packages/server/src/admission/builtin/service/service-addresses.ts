import type { KubernetesObject } from '@hykube/machinery/object'
import { invalid, StatusError } from '@hykube/machinery/status'
import type { AdmissionPlugin } from '../../chain.ts'
import { type AllocationRange, addressRange, portRange } from './address-range.ts'
import { type Claim, claimsOf, type ServicePort, type ServiceSpec, specOf } from './claims.ts'
import { keepAddresses, needsHealthCheckPort, needsNodePorts } from './keep-addresses.ts'
import { type Allocations, pickFree } from './pick-free.ts'

/** Reads the allocations of addresses and ports, which are written together with the services. */
export interface AllocationReader {
  allocations(cluster: string, range: Claim['range']): Allocations
}

/** Kubernetes' default range. */
const ports = portRange(30_000, 32_767)

/**
 * Allocates cluster addresses, and node ports for types that have them. Requested values are used, or rejected with
 * Kubernetes' message. Uniqueness is a precondition of the commit; a write that loses a race is admitted again.
 */
export function serviceAddresses(reader: AllocationReader, cidr: string): AdmissionPlugin {
  const range = addressRange(cidr)
  return {
    name: 'ServiceAddresses',
    handles: ({ operation, subresource, type }) =>
      type.group === '' &&
      type.names.kind === 'Service' &&
      subresource === '' &&
      ['CREATE', 'UPDATE'].includes(operation),
    mutate: async ({ object, old, cluster, name }) => {
      const own = new Set(claimsOf(old).map(({ range, value }) => `${range}/${value}`))
      const allocation: Allocation = {
        name,
        own,
        fixed: hasAddress(old),
        range,
        addresses: reader.allocations(cluster, 'cluster-ip'),
        ports: reader.allocations(cluster, 'node-port'),
      }
      const kept = old === undefined ? object! : keepAddresses(object!, old)
      return allocate(allocation, withFirstAddress(kept))
    },
  }
}

interface Allocation {
  readonly name: string
  /** Values that the service had before. */
  readonly own: ReadonlySet<string>
  /** True when its address is immutable; validation rejects a change. */
  readonly fixed: boolean
  readonly range: ReturnType<typeof addressRange>
  readonly addresses: Allocations
  readonly ports: Allocations
}

async function allocate(allocation: Allocation, service: KubernetesObject): Promise<KubernetesObject> {
  const spec = specOf(service)
  if (spec.type === 'ExternalName') return service
  const clusterIP = await addressOf(allocation, spec)
  const requested = new Set((spec.ports ?? []).flatMap(({ nodePort }) => (nodePort ? [String(nodePort)] : [])))
  const nodePorts = await nodePortsOf(allocation, spec, requested)
  const check = await healthCheckPortOf(allocation, spec, requested)
  return {
    ...service,
    spec: {
      ...spec,
      clusterIP,
      clusterIPs: spec.clusterIPs?.[0] === clusterIP ? spec.clusterIPs : [clusterIP],
      ...(nodePorts === undefined ? {} : { ports: nodePorts }),
      ...(check === undefined ? {} : { healthCheckNodePort: check }),
    },
  }
}

async function addressOf(allocation: Allocation, { clusterIP = '' }: ServiceSpec): Promise<string> {
  if (clusterIP === '') {
    const free = await pickFree(allocation.range, allocation.addresses, new Set())
    if (free === undefined) throw new StatusError('InternalError', 'failed to allocate a serviceIP: range is full')
    return free
  }
  if (clusterIP === 'None' || allocation.fixed || allocation.own.has(`cluster-ip/${clusterIP}`)) return clusterIP
  const problem = await problemWith(allocation.range, allocation.addresses, clusterIP, {
    outside: `the provided IP (${clusterIP}) is not in the valid range. The range of valid IPs is ${allocation.range.cidr}`,
    taken: 'provided IP is already allocated',
  })
  if (problem === undefined) return clusterIP
  const message = `Invalid value: ${JSON.stringify([clusterIP])}: failed to allocate IP ${clusterIP}: ${problem}`
  throw refused(allocation, 'spec.clusterIPs', message)
}

async function nodePortsOf(
  allocation: Allocation,
  spec: ServiceSpec,
  requested: Set<string>,
): Promise<readonly ServicePort[] | undefined> {
  if (spec.ports == null) return undefined
  const given: ServicePort[] = []
  // One port with several protocols has one node port.
  const byPort = new Map<number | undefined, number>()
  for (const [at, port] of spec.ports.entries()) {
    if (port.nodePort) await checkPort(allocation, port.nodePort, `spec.ports[${at}].nodePort`)
    const shared = byPort.get(port.port)
    const nodePort = port.nodePort || (needsNodePorts(spec) ? (shared ?? (await freePort(allocation, requested))) : 0)
    if (nodePort) byPort.set(port.port, nodePort)
    given.push(nodePort ? { ...port, nodePort } : port)
  }
  return given
}

async function healthCheckPortOf(
  allocation: Allocation,
  spec: ServiceSpec,
  requested: Set<string>,
): Promise<number | undefined> {
  if (!needsHealthCheckPort(spec)) return undefined
  if (!spec.healthCheckNodePort) return freePort(allocation, requested)
  await checkPort(allocation, spec.healthCheckNodePort, 'spec.healthCheckNodePort')
  return spec.healthCheckNodePort
}

async function freePort(allocation: Allocation, requested: Set<string>): Promise<number> {
  const free = await pickFree(ports, allocation.ports, requested)
  if (free === undefined) throw new StatusError('InternalError', 'failed to allocate a nodePort: range is full')
  requested.add(free)
  return Number(free)
}

async function checkPort(allocation: Allocation, port: number, field: string): Promise<void> {
  if (allocation.own.has(`node-port/${port}`)) return
  const problem = await problemWith(ports, allocation.ports, String(port), {
    outside: 'provided port is not in the valid range. The range of valid ports is 30000-32767',
    taken: 'provided port is already allocated',
  })
  if (problem !== undefined) throw refused(allocation, field, `Invalid value: ${port}: ${problem}`)
}

async function problemWith(
  range: AllocationRange,
  allocations: Allocations,
  value: string,
  words: { readonly outside: string; readonly taken: string },
): Promise<string | undefined> {
  if (range.indexOf(value) === undefined) return words.outside
  return (await allocations.has(value)) ? words.taken : undefined
}

function hasAddress(old: KubernetesObject | undefined): boolean {
  const { type, clusterIP = '' } = specOf(old)
  return clusterIP !== '' && type !== 'ExternalName'
}

// Clients may set either field; the first address of the list is the service's address.
function withFirstAddress(service: KubernetesObject): KubernetesObject {
  const spec = specOf(service)
  const first = spec.clusterIPs?.[0]
  return spec.clusterIP || !first ? service : { ...service, spec: { ...spec, clusterIP: first } }
}

function refused({ name }: Allocation, field: string, message: string): StatusError {
  return invalid({ group: '', kind: 'Service' }, name, [{ reason: 'FieldValueInvalid', field, message }])
}
