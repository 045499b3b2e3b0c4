import { expect, it } from 'vitest'
import { attributesIn, blocksIn, depthOf, largeSchema } from './large-schema.ts'

it('has the measured shape', () => {
  const { resources, dataSources } = largeSchema()
  const blocks = [...resources.values()].map(({ block }) => block)
  const attributes = blocks.map(attributesIn).sort((a, b) => a - b)
  const nested = blocks.map(blocksIn).sort((a, b) => a - b)
  const at = (sizes: readonly number[], share: number) => sizes[Math.floor(sizes.length * share)]!
  expect([resources.size, dataSources.size]).toEqual([1506, 607])
  expect(attributes.reduce((sum, size) => sum + size, 0)).toBe(81_238)
  expect([at(attributes, 0.5), attributes.at(-1)]).toEqual([11, 12_441])
  expect(at(attributes, 0.9)).toBeCloseTo(32, -1)
  expect(at(attributes, 0.99)).toBeCloseTo(131, -1.5)
  expect([at(nested, 0.5), nested.at(-1)]).toEqual([1, 9_828])
  expect(Math.max(...blocks.map(depthOf))).toBe(15)
  expect(Math.max(...[...resources.keys()].map((name) => name.length))).toBe(64)
  expect(Math.max(...[...dataSources.keys()].map((name) => name.length))).toBe(69)
  expect(blocks.filter((block) => block.attributes.some(({ sensitive }) => sensitive)).length).toBeCloseTo(97, -1)
})
