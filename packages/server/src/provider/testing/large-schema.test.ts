import { providerSchemaToBytes } from '@hykube/tfplugin/protocol'
import { expect, it } from 'vitest'
import { attributesIn, blocksIn, depthOf, largeSchema } from './large-schema.ts'

it('has the measured shape', () => {
  const schema = largeSchema()
  const { resources, dataSources } = schema
  const blocks = [...resources.values()].map(({ block }) => block)
  const attributes = blocks.map(attributesIn).sort((a, b) => a - b)
  const nested = blocks.map(blocksIn).sort((a, b) => a - b)
  const depths = blocks.map(depthOf).sort((a, b) => a - b)
  const at = (sizes: readonly number[], share: number) => sizes[Math.floor(sizes.length * share)]!
  expect([resources.size, dataSources.size]).toEqual([1506, 607])
  expect(attributes.reduce((sum, size) => sum + size, 0)).toBe(81_238)
  expect([0.5, 0.9, 0.99].map((share) => at(attributes, share))).toEqual([11, 32, 131])
  expect(attributes.at(-1)).toBe(12_441)
  expect([at(nested, 0.5), at(nested, 0.99), nested.at(-1)]).toEqual([1, 55, 9_828])
  expect([at(depths, 0.5), at(depths, 0.99), depths.at(-1)]).toEqual([2, 7, 15])
  expect(Math.max(...[...resources.keys()].map((name) => name.length))).toBe(64)
  expect(Math.max(...[...dataSources.keys()].map((name) => name.length))).toBe(69)
  expect(blocks.filter((block) => block.attributes.some(({ sensitive }) => sensitive))).toHaveLength(97)
  expect(providerSchemaToBytes(schema, 5).length / 1e6).toBeCloseTo(5.4, 1)
})
