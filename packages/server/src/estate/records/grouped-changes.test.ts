import { beforeEach, describe, expect, test } from 'vitest'
import type { ResourceRef } from '../../model/index.ts'
import { openMemoryStore } from '../../storage/index.ts'
import { Estate } from '../estate.ts'
import { changeKey, putChange } from './changes.ts'
import { putOutcome, putWholeChange } from './outcomes.ts'
import { recordToBytes } from './record-codec.ts'
import { estateSpaces } from './spaces.ts'

interface Record {
  readonly group: string
  readonly address: string
}

const ref: ResourceRef = { cluster: 'main', group: 'g', resource: 'things', namespace: 'default', name: 'many' }

describe('grouped changes', () => {
  let estate: Estate
  const targetOf = (instance: number) => ({ cluster: 'main', plan: 'p', ref, instance, part: '' })
  const listed = async () => {
    const read: string[] = []
    const found: (readonly [unknown, string, object | undefined])[] = []
    const changes = estate.groupedChanges('main', 'p', ({ group, address }: Record) => {
      read.push(address)
      return group
    })
    for await (const { target, group, progress } of changes) found.push([target.instance, group, progress])
    return { read, found }
  }

  beforeEach(async () => {
    estate = new Estate(openMemoryStore({ spaces: estateSpaces }))
    const operations = ['a', 'b', 'a', 'none', 'b', 'none'].map((group, at) => {
      const value = recordToBytes({ group, address: `many[${at}]` })
      return putChange(targetOf(at), value, group === 'a' ? 1 : group === 'b' ? 2 : undefined)
    })
    await estate.commit({ operations })
  })

  test('are all listed, and one record of each group is decoded', async () => {
    const { read, found } = await listed()
    expect(found.map(([, group]) => group)).toEqual(['a', 'b', 'a', 'none', 'b', 'none'])
    expect(read).toEqual(['many[0]', 'many[1]', 'many[3]', 'many[5]'])
  })

  test('are all listed when many have no group', async () => {
    const many = Array.from({ length: 1200 }, (_, at) => {
      const value = recordToBytes({ group: `s${at % 7 === 0 ? 7 : at}`, address: `many[${at}]` })
      return putChange(targetOf(at), value, at % 7 === 0 ? 7 : 0)
    })
    await estate.commit({ operations: many })
    const { read, found } = await listed()
    expect(found.map(([at, group]) => [at, group])).toEqual(many.map((_, at) => [at, `s${at % 7 === 0 ? 7 : at}`]))
    expect(read.filter((address) => Number(address.slice(5, -1)) % 7 === 0)).toEqual(['many[0]'])
  })

  test('have their stored outcome', async () => {
    await estate.commit({ operations: [putOutcome(changeKey(targetOf(2)), { outcome: 'done' })] })
    expect((await listed()).found[2]).toEqual([2, 'a', { outcome: 'done' }])
  })

  test('leave their group when they are rewritten', async () => {
    await estate.commit({ operations: putWholeChange(changeKey(targetOf(0)), { group: 'other', address: 'many[0]' }) })
    const { read, found } = await listed()
    expect(found.map(([, group]) => group)).toEqual(['other', 'b', 'a', 'none', 'b', 'none'])
    expect(read).toContain('many[2]')
  })
})
