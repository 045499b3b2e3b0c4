import { expect, it } from 'vitest'
import { similarName } from './similar-name.ts'

const names = ['cidr_block', 'availability_zone', 'tags', 'id', 'instance_type', 'vpc_id']

it.each([
  ['cidr_blok', 'cidr_block'],
  ['cidrBlock', 'cidr_block'],
  ['cidr-block', 'cidr_block'],
  ['cidr', 'cidr_block'],
  ['tag', 'tags'],
  ['tgas', 'tags'],
  ['instanceType', 'instance_type'],
  ['vpcid', 'vpc_id'],
  ['colour', undefined],
  ['x', undefined],
  ['', undefined],
])('%j is similar to %j', (written, meant) => {
  expect(similarName(written, names)).toBe(meant)
})
