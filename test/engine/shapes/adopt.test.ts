import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { ShapeServer } from './shape-server.ts'

const seed = Number(process.env.HYKUBE_SHAPES_SEED ?? 1)
const count = Number(process.env.HYKUBE_SHAPES_COUNT ?? 2)

for (const [name, fewest] of [
  ['legacy', 50],
  ['frame', 20],
  ['mixed', 70],
] as const)
  describeWith([`terraform-provider-${name}`], `every resource type of ${name}`, (built) => {
    let owner: ShapeServer
    let adopter: ShapeServer
    beforeAll(async () => {
      owner = await ShapeServer.open(name, built)
      adopter = await ShapeServer.open(name, built, owner.world)
    })
    afterAll(async () => {
      await adopter?.close()
      await owner?.close()
    })

    test(`is adopted from its state without changes, seed ${seed}`, { timeout: 300_000 }, async () => {
      const all = await owner.declare(count, seed)
      await owner.write(all)
      await owner.plan({})
      expect(await owner.apply()).toEqual([])
      const warned = new Map<string, string>()
      for (const { address } of all) {
        const { changes } = await adopter.adopt(address, await owner.instancesOf(address))
        if (changes !== undefined) warned.set(address, changes)
      }
      if (warned.size > 0) console.log('types that need a Warning:', warned)
      expect(new Set(all.map(({ address }) => address.split('.')[0])).size).toBeGreaterThanOrEqual(fewest)
      expect(await adopter.plan({ refresh: 'All', scope: 'All' })).toEqual({ phase: 'NoChanges', lines: [] })
      expect([...warned.keys()]).toEqual([])
    })
  })
