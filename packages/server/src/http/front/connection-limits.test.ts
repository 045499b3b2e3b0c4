import { expect, test } from 'vitest'
import { ConnectionLimits } from './connection-limits.ts'

test('counts connections by address and in total, and releases closed ones', () => {
  const limits = new ConnectionLimits({ total: 3, perAddress: 2 })
  const first = limits.open('10.0.0.1')!
  const second = limits.open('10.0.0.1')
  expect(second).toBeDefined()
  expect(limits.open('10.0.0.1')).toBeUndefined()
  expect(limits.open('10.0.0.2')).toBeDefined()
  expect(limits.open('10.0.0.3')).toBeUndefined()
  first()
  expect(limits.open('10.0.0.1')).toBeDefined()
  expect(limits.open('10.0.0.1')).toBeUndefined()
})

test.each([
  ['10.0.0.1', '::ffff:10.0.0.1'],
  ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2'],
  ['2001:db8::1', '2001:db8::2'],
  ['::1', '::2'],
  ['fe80::1%eth0', 'fe80::2'],
])('%s and %s are one source', (one, other) => {
  const limits = new ConnectionLimits({ total: 10, perAddress: 1 })
  expect(limits.open(one)).toBeDefined()
  expect(limits.open(other)).toBeUndefined()
})

test('addresses of different networks are different sources', () => {
  const limits = new ConnectionLimits({ total: 10, perAddress: 1 })
  for (const address of ['10.0.0.1', '10.0.0.2', '2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8::1', '::1'])
    expect(limits.open(address)).toBeDefined()
})
