import { expect, test } from 'vitest'
import { withAddressFamilies } from './service-addresses.ts'

test('a service with an address says its family', () => {
  expect(withAddressFamilies({ spec: { clusterIP: '10.96.1.2' } })).toEqual({
    spec: {
      clusterIP: '10.96.1.2',
      clusterIPs: ['10.96.1.2'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  })
})

test('an external name has no address and no family', () => {
  const service = { spec: { type: 'ExternalName' } }
  expect(withAddressFamilies(service)).toBe(service)
})
