import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AddressError,
  addressToText,
  parseAddress,
  parseAttributePath,
  parseAttributeReference,
  type ResourceAddress,
} from './resource-address.ts'

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/)
const objectName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/)
const anyAddress: fc.Arbitrary<ResourceAddress> = fc
  .record({
    provider: fc.option(objectName, { nil: undefined }),
    data: fc.boolean(),
    type: word.filter((type) => type !== 'data' && type !== 'provider'),
    namespace: fc.option(objectName, { nil: undefined }),
    name: objectName,
    key: fc.option(fc.oneof(fc.nat(), fc.string({ unit: 'grapheme' })), { nil: undefined }),
  })
  .map(({ provider, namespace, key, ...rest }) => ({
    ...rest,
    ...(provider !== undefined && { provider }),
    ...(namespace !== undefined && { namespace }),
    ...(key !== undefined && { key }),
  }))

describe('an address', () => {
  test.each<[string, ResourceAddress]>([
    ['aws_vpc.main', { data: false, type: 'aws_vpc', name: 'main' }],
    ['aws_vpc["my-vpc"]', { data: false, type: 'aws_vpc', name: 'my-vpc' }],
    ['aws_vpc.my-vpc', { data: false, type: 'aws_vpc', name: 'my-vpc' }],
    ["aws_vpc['net/main']", { data: false, type: 'aws_vpc', namespace: 'net', name: 'main' }],
    ['sim_instance.web[3]', { data: false, type: 'sim_instance', name: 'web', key: 3 }],
    ['sim_bucket.logs["eu"]', { data: false, type: 'sim_bucket', name: 'logs', key: 'eu' }],
    ['sim_bucket["a/b"]["e/u"]', { data: false, type: 'sim_bucket', namespace: 'a', name: 'b', key: 'e/u' }],
    ['data.aws_ami.ubuntu', { data: true, type: 'aws_ami', name: 'ubuntu' }],
    ['provider["aws6"].aws_vpc.main', { provider: 'aws6', data: false, type: 'aws_vpc', name: 'main' }],
    ['provider["aws6"].data.aws_ami.x[0]', { provider: 'aws6', data: true, type: 'aws_ami', name: 'x', key: 0 }],
  ])('%s is parsed', (text, address) => {
    expect(parseAddress(text)).toEqual(address)
  })

  test.each([
    '',
    'aws_vpc',
    'aws_vpc.',
    '.main',
    'aws_vpc..main',
    'aws_vpc.main.id',
    'aws_vpc.main[',
    'aws_vpc.main["a]',
    'aws_vpc.main[-1]',
    'aws_vpc.main[1][2]',
    'aws_vpc["a/b/c"]',
    'aws_vpc["/b"]',
    'aws_vpc[""]',
    'aws_vpc[3]',
    'data.aws_ami',
    'provider["p"]',
    'provider["p"]aws_vpc.main',
    'aws_vpc main',
    '["aws_vpc"].main',
    'provider.aws.aws_vpc.main',
    '${aws_vpc.main}',
    'x'.repeat(5000),
  ])('%j is rejected', (text) => {
    expect(() => parseAddress(text)).toThrow(AddressError)
  })

  test('has one text, which parses to the same address', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(parseAddress(addressToText(address))).toEqual(address)
      }),
    )
  })
})

test('a reference continues with a path into attributes', () => {
  expect(parseAttributeReference('aws_vpc.main[0].tags["a"][1]')).toEqual({
    address: { data: false, type: 'aws_vpc', name: 'main', key: 0 },
    path: ['tags', 'a', 1],
  })
})

test('an attribute path begins with an attribute', () => {
  expect(parseAttributePath('rule[0].tags["a"]')).toEqual(['rule', 0, 'tags', 'a'])
  for (const text of ['rule.*', '', '[0].a', '.a']) expect(() => parseAttributePath(text)).toThrow(AddressError)
})
