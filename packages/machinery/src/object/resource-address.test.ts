import { describe, expect, it } from 'vitest'
import {
  attributePathFromText,
  type ResourceAddress,
  resourceAddressFromText,
  resourceAddressToText,
  resourceReferenceFromText,
} from './resource-address.ts'

describe('an address', () => {
  it.each<[string, ResourceAddress]>([
    ['aws_vpc.main', { mode: 'managed', type: 'aws_vpc', name: 'main' }],
    ['data.aws_ami.ubuntu', { mode: 'data', type: 'aws_ami', name: 'ubuntu' }],
    ['aws_vpc["my-vpc"]', { mode: 'managed', type: 'aws_vpc', name: 'my-vpc' }],
    ['aws_vpc["net/main"]', { mode: 'managed', type: 'aws_vpc', namespace: 'net', name: 'main' }],
    ['sim_instance.web[3]', { mode: 'managed', type: 'sim_instance', name: 'web', index: 3 }],
    ['sim_instance.web["a b"]', { mode: 'managed', type: 'sim_instance', name: 'web', index: 'a b' }],
    ['sim_instance["net/web"][0]', { mode: 'managed', type: 'sim_instance', namespace: 'net', name: 'web', index: 0 }],
    ['provider["aws6"].aws_vpc.main', { provider: 'aws6', mode: 'managed', type: 'aws_vpc', name: 'main' }],
    ['provider["a-b"].data.aws_ami.x', { provider: 'a-b', mode: 'data', type: 'aws_ami', name: 'x' }],
  ])('%s round-trips', (text, address) => {
    expect(resourceAddressFromText(text)).toEqual(address)
    expect(resourceAddressToText(address)).toBe(text)
  })

  it.each([
    [''],
    ['aws_vpc'],
    ['data.aws_vpc'],
    ['aws_vpc.main.id'],
    ['aws_vpc.my-vpc'],
    ['aws_vpc[3]'],
    ['aws_vpc["a/b/c"]'],
    ['aws_vpc["/a"]'],
    ['aws_vpc[""]'],
    ['provider.aws.aws_vpc.main'],
    ['provider["aws"]'],
    ['.aws_vpc.main'],
    ['aws_vpc..main'],
    ['aws_vpc.main[-1]'],
    ['aws_vpc.main["a]'],
    ['${aws_vpc.main}'],
    ['["a"].b'],
  ])('%j is rejected', (text) => {
    expect(resourceAddressFromText(text)).toBeUndefined()
  })
})

it('a reference has a path into attributes', () => {
  expect(resourceReferenceFromText('aws_vpc.main[0].tags["a"][1]')).toEqual({
    address: { mode: 'managed', type: 'aws_vpc', name: 'main', index: 0 },
    path: ['tags', 'a', 1],
  })
})

it('parses an attribute path', () => {
  expect(attributePathFromText('rule[0].tags["a"]')).toEqual(['rule', 0, 'tags', 'a'])
  expect(attributePathFromText('rule.*')).toBeUndefined()
})
