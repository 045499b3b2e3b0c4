import { expect, test } from 'vitest'
import { keepAddresses, withAddresses } from './service-addresses.ts'

const metadata = { uid: '3edc3378-683b-4dc4-b157-47a09365d9bf' }

test('a service gets an address of its own range, always the same', () => {
  const { spec } = withAddresses({ metadata, spec: { ports: [{ port: 80 }] } }) as { spec: Record<string, unknown> }
  expect(spec.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/)
  expect(spec).toMatchObject({
    clusterIPs: [spec.clusterIP],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [{ port: 80 }],
  })
  expect(withAddresses({ metadata, spec: {} })).toMatchObject({ spec: { clusterIP: spec.clusterIP } })
})

test.each(['NodePort', 'LoadBalancer'])('a %s gets ports on nodes where it names none', (type) => {
  const { spec } = withAddresses({
    metadata,
    spec: { type, ports: [{ port: 80 }, { port: 81, nodePort: 31_000 }] },
  }) as { spec: { ports: { nodePort: number }[] } }
  expect(spec.ports[0]!.nodePort).toBeGreaterThanOrEqual(30_000)
  expect(spec.ports[0]!.nodePort).toBeLessThan(32_768)
  expect(spec.ports[1]!.nodePort).toBe(31_000)
})

test('an external name has no address, and a headless service keeps None', () => {
  expect(withAddresses({ metadata, spec: { type: 'ExternalName' } })).toEqual({
    metadata,
    spec: { type: 'ExternalName' },
  })
  expect(withAddresses({ metadata, spec: { clusterIP: 'None' } })).toMatchObject({
    spec: { clusterIP: 'None', clusterIPs: ['None'] },
  })
})

test('an update that leaves the address out keeps it', () => {
  const old = { metadata, spec: { clusterIP: '10.96.1.2', clusterIPs: ['10.96.1.2'] } }
  expect(keepAddresses({ metadata, spec: {} }, old)).toMatchObject({
    spec: { clusterIP: '10.96.1.2', clusterIPs: ['10.96.1.2'] },
  })
})
