import { beforeEach, describe, expect, test } from 'vitest'
import type { ResourceRef } from '../../model/index.ts'
import { openMemoryStore } from '../../storage/index.ts'
import { Estate } from '../estate.ts'
import { changeKey } from './changes.ts'
import { dropChanges, putOutcome, putWholeChange } from './outcomes.ts'
import { recordToBytes } from './record-codec.ts'
import { estateSpaces } from './spaces.ts'

interface Record {
  readonly address: string
  readonly outcome?: string
}

const ref: ResourceRef = { cluster: 'main', group: 'g', resource: 'things', namespace: 'default', name: 'many' }

describe('outcomes of changes', () => {
  let estate: Estate

  const keyOf = (instance: number, part = '') => changeKey({ cluster: 'main', plan: 'p', ref, instance, part })
  const listed = async () => {
    const found: Record[] = []
    for await (const { record } of estate.changes<Record>('main', 'p')) found.push(record)
    return found
  }

  beforeEach(async () => {
    estate = new Estate(openMemoryStore({ spaces: estateSpaces }))
    const operations = [0, 1, 2, 3, 4].map((at) => {
      return { kind: 'put', key: keyOf(at), value: recordToBytes({ address: `many[${at}]` }) } as const
    })
    await estate.commit({ operations })
    await estate.commit({ operations: [1, 3].map((at) => putOutcome(keyOf(at), { outcome: `done ${at}` })) })
  })

  test('is listed with them', async () => {
    expect((await listed()).map(({ outcome }) => outcome)).toEqual([
      undefined,
      'done 1',
      undefined,
      'done 3',
      undefined,
    ])
  })

  test('is on their page, wherever that begins', async () => {
    const first = await estate.changePage<Record>('main', 'p', { limit: 2 })
    const second = await estate.changePage<Record>('main', 'p', { limit: 2, after: first.last! })
    const outcomes = [...first.changes, ...second.changes].map(({ record }) => record.outcome)
    expect(outcomes).toEqual([undefined, 'done 1', undefined, 'done 3'])
  })

  test('is read with one of them', async () => {
    expect((await estate.change<Record>(keyOf(3)))?.record).toEqual({ address: 'many[3]', outcome: 'done 3' })
    expect((await estate.change<Record>(keyOf(2)))?.record).toEqual({ address: 'many[2]' })
  })

  test('is not that of another part of the instance', async () => {
    const key = keyOf(1, 'deposed/a')
    await estate.commit({ operations: [{ kind: 'put', key, value: recordToBytes({ address: 'old' }) }] })
    expect(await listed()).toContainEqual({ address: 'old' })
  })

  test('gives way to a change that is written whole', async () => {
    await estate.commit({ operations: putWholeChange(keyOf(1), { address: 'many[1]', outcome: 'failed' }) })
    expect((await estate.change<Record>(keyOf(1)))?.record.outcome).toBe('failed')
  })

  test('goes with them', async () => {
    await estate.commit({ operations: dropChanges('main', 'p') })
    await estate.commit({ operations: [{ kind: 'put', key: keyOf(1), value: recordToBytes({ address: 'new' }) }] })
    expect(await listed()).toEqual([{ address: 'new' }])
  })
})
