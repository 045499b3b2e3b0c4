import { expect, it } from 'vitest'
import { suggestName } from './suggestion.ts'

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
])('%j is taken for %j', (written, meant) => {
  expect(suggestName(written, names)).toBe(meant)
})
