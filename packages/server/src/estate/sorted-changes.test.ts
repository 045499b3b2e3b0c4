import { beforeEach, describe, expect, test } from 'vitest'
import type { NodePlace } from '../plan/index.ts'
import { openMemoryStore } from '../storage/index.ts'
import { changeKey, putChange } from './changes.ts'
import { Estate } from './estate.ts'
import { putOutcome, putWholeChange } from './outcomes.ts'
import { recordToBytes } from './record-codec.ts'
import { estateSpaces } from './spaces.ts'

interface Record {
  readonly sort: string
  readonly address: string
}

const node: NodePlace = { cluster: 'main', group: 'g', resource: 'things', namespace: 'default', name: 'many' }

describe('changes by their sort', () => {
  let estate: Estate
  const placeOf = (instance: number) => ({ cluster: 'main', plan: 'p', node, instance, part: '' })
  const listed = async () => {
    const read: string[] = []
    const found: (readonly [unknown, string, object | undefined])[] = []
    const changes = estate.sortedChanges('main', 'p', ({ sort, address }: Record) => {
      read.push(address)
      return sort
    })
    for await (const { place, sort, came } of changes) found.push([place.instance, sort, came])
    return { read, found }
  }

  beforeEach(async () => {
    estate = new Estate(openMemoryStore({ spaces: estateSpaces }))
    const sorts = ['a', 'b', 'a', 'none', 'b', 'none'].map((sort, at) => {
      const value = recordToBytes({ sort, address: `many[${at}]` })
      return putChange(placeOf(at), value, sort === 'a' ? 1 : sort === 'b' ? 2 : undefined)
    })
    await estate.commit({ operations: sorts })
  })

  test('are all told, and one of each sort is read', async () => {
    const { read, found } = await listed()
    expect(found.map(([, sort]) => sort)).toEqual(['a', 'b', 'a', 'none', 'b', 'none'])
    expect(read).toEqual(['many[0]', 'many[1]', 'many[3]', 'many[5]'])
  })

  test('are all told when there are many that have no sort', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => {
      const value = recordToBytes({ sort: `s${at % 7 === 0 ? 7 : at}`, address: `many[${at}]` })
      return putChange(placeOf(at), value, at % 7 === 0 ? 7 : 0)
    })
    await estate.commit({ operations: many })
    const { read, found } = await listed()
    expect(found.map(([at, sort]) => [at, sort])).toEqual(many.map((_, at) => [at, `s${at % 7 === 0 ? 7 : at}`]))
    expect(read.filter((address) => Number(address.slice(5, -1)) % 7 === 0)).toEqual(['many[0]'])
  })

  test('come with what came of them', async () => {
    await estate.commit({ operations: [putOutcome(changeKey(placeOf(2)), { outcome: 'done' })] })
    expect((await listed()).found[2]).toEqual([2, 'a', { outcome: 'done' }])
  })

  test('have no sort any more once they were written whole', async () => {
    await estate.commit({ operations: putWholeChange(changeKey(placeOf(0)), { sort: 'other', address: 'many[0]' }) })
    const { read, found } = await listed()
    expect(found.map(([, sort]) => sort)).toEqual(['other', 'b', 'a', 'none', 'b', 'none'])
    expect(read).toContain('many[2]')
  })
})
