import { expect, test } from 'vitest'
import { withAddressFamilies } from './service-addresses.ts'

test('a service with an address gets its IP family', () => {
  expect(withAddressFamilies({ spec: { clusterIP: '10.96.1.2' } })).toEqual({
    spec: {
      clusterIP: '10.96.1.2',
      clusterIPs: ['10.96.1.2'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    },
  })
})

test('an ExternalName service gets no IP family', () => {
  const service = { spec: { type: 'ExternalName' } }
  expect(withAddressFamilies(service)).toBe(service)
})
