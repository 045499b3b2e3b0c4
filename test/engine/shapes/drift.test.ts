import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { ShapeServer } from './shape-server.ts'

const seed = Number(process.env.HYKUBE_SHAPES_SEED ?? 1)
const count = Number(process.env.HYKUBE_SHAPES_COUNT ?? 2)

for (const name of ['legacy', 'frame', 'mixed'])
  describeWith([`terraform-provider-${name}`], `every resource type of ${name}`, (built) => {
    let shapes: ShapeServer
    beforeAll(async () => {
      shapes = await ShapeServer.open(name, built)
    })
    afterAll(() => shapes?.close())

    test(`has neither drift nor changes after an apply, seed ${seed}`, { timeout: 300_000 }, async () => {
      const all = await shapes.declare(count, seed)
      await shapes.write(all)
      expect((await shapes.plan({})).lines.filter((line) => !line.startsWith('create '))).toEqual([])
      expect(await shapes.apply()).toEqual([])
      expect(await shapes.plan({ mode: 'RefreshOnly' })).toEqual({ phase: 'NoChanges', lines: [] })
      expect(await shapes.plan({})).toEqual({ phase: 'NoChanges', lines: [] })
      expect(await shapes.plan({ refresh: 'All', scope: 'All' })).toEqual({ phase: 'NoChanges', lines: [] })
    })
  })
