import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType } from '@hykube/machinery/resource-type'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AdmissionChain } from '../../chain.ts'
import { addressRange, portRange } from './address-range.ts'
import { claimsOf, specOf } from './claims.ts'
import { type Allocations, pickFree } from './pick-free.ts'
import { serviceAddresses } from './service-addresses.ts'

function allocationsFrom(values: Iterable<string>): Allocations {
  const set = new Set(values)
  return {
    has: async (value) => set.has(value),
    async *all() {
      yield* set
    },
  }
}

function admit(
  object: KubernetesObject,
  old?: KubernetesObject,
  taken: readonly string[] = [],
): Promise<KubernetesObject> {
  const chain = new AdmissionChain([serviceAddresses({ allocations: () => allocationsFrom(taken) }, '10.96.0.0/12')])
  return chain.mutate({
    operation: old === undefined ? 'CREATE' : 'UPDATE',
    cluster: 'root',
    type: { group: '', names: { kind: 'Service' } } as ResourceType,
    subresource: '',
    namespace: 'n',
    name: 's',
    object,
    old,
    user: { name: 'u', groups: [] },
    dryRun: false,
    warn: () => {},
  }) as Promise<KubernetesObject>
}

const web = (spec: object) => ({ spec: { type: 'ClusterIP', ports: [{ port: 80, protocol: 'TCP' }], ...spec } })

test('allocates an address of the range', async () => {
  const { clusterIP, clusterIPs } = specOf(await admit(web({})))
  expect(clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/)
  expect(clusterIPs).toEqual([clusterIP])
})

test('uses requested values', async () => {
  expect(specOf(await admit(web({ clusterIPs: ['10.100.0.7'] }))).clusterIP).toBe('10.100.0.7')
  expect(specOf(await admit(web({ clusterIP: 'None' }))).clusterIPs).toEqual(['None'])
  const ports = [{ port: 80, nodePort: 30_080 }]
  expect(specOf(await admit(web({ type: 'NodePort', ports }))).ports).toEqual(ports)
})

test.each([
  [
    { clusterIP: '10.96.0.1' },
    'spec.clusterIPs: Invalid value: ["10.96.0.1"]: failed to allocate IP 10.96.0.1: provided IP is already allocated',
  ],
  [
    { clusterIP: '1.2.3.4' },
    'the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.96.0.0/12',
  ],
  [
    { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] },
    'spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
  ],
  [
    { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
])('rejects %j', async (spec, why) => {
  await expect(admit(web(spec), undefined, ['10.96.0.1', '30001'])).rejects.toThrow(why)
})

test('allocates one node port for a port with two protocols', async () => {
  const ports = [
    { port: 53, protocol: 'TCP' },
    { port: 53, protocol: 'UDP' },
    { port: 80, protocol: 'TCP' },
  ]
  const given = specOf(await admit(web({ type: 'LoadBalancer', ports }))).ports!
  expect(given[0]!.nodePort).toBe(given[1]!.nodePort)
  expect(given[2]!.nodePort).not.toBe(given[0]!.nodePort)
  expect(claimsOf({ spec: { clusterIP: 'None', ports: given } })).toHaveLength(2)
})

test('keeps values that an update leaves out, and drops those that its type does not have', async () => {
  const old = await admit(web({ type: 'NodePort' }))
  const own = claimsOf(old).map(({ value }) => value)
  expect(specOf(await admit(web({ type: 'NodePort' }), old, own))).toMatchObject(specOf(old))
  const plain = specOf(await admit({ spec: { ...specOf(old), type: 'ClusterIP' } }, old, own))
  expect(plain.clusterIP).toBe(specOf(old).clusterIP)
  expect(plain.ports![0]!.nodePort).toBeUndefined()
  const named = await admit({ spec: { ...specOf(old), type: 'ExternalName' } }, old, own)
  expect(claimsOf(named)).toEqual([])
})

test('allocates a health check port for external traffic policy Local', async () => {
  const spec = specOf(await admit(web({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })))
  expect(spec.healthCheckNodePort).toBeGreaterThanOrEqual(30_000)
})

test('finds the last free value of a range, and then none', async () => {
  const range = portRange(30_000, 30_099)
  const values = Array.from({ length: 100 }, (_, at) => range.at(at))
  expect(await pickFree(range, allocationsFrom(values.filter((each) => each !== '30004')), new Set())).toBe('30004')
  expect(await pickFree(range, allocationsFrom(values), new Set())).toBeUndefined()
})

test('converts between addresses and indexes', () => {
  const range = addressRange('10.96.0.0/12')
  expect(range.at(0)).toBe('10.96.0.1')
  expect(range.at(range.size - 1)).toBe('10.111.255.254')
  fc.assert(fc.property(fc.nat(range.size - 1), (index) => range.indexOf(range.at(index)) === index))
  for (const outside of ['10.96.0.0', '10.111.255.255', '10.112.0.1', '::1', '', '10.96.0', '10.96.0.256'])
    expect(range.indexOf(outside)).toBeUndefined()
})
