import { expect, test } from 'vitest'
import { ipAddressBytes } from './ip-address.ts'

test.each<[string, string | undefined]>([
  ['127.0.0.1', '7f000001'],
  ['::1', '00000000000000000000000000000001'],
  ['::', '00000000000000000000000000000000'],
  ['fe80::1%eth0', 'fe800000000000000000000000000001'],
  ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
  ['::ffff:10.0.0.1', '00000000000000000000ffff0a000001'],
  ['2001:db8::', '20010db8000000000000000000000000'],
  ['localhost', undefined],
  ['1.2.3', undefined],
])('%s', (address, expected) => {
  const bytes = ipAddressBytes(address)
  expect(bytes && Buffer.from(bytes).toString('hex')).toBe(expected)
})
