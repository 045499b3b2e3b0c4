import { type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import type { AccessSession, ProviderAccess } from '../evaluation/index.ts'
import type { InstanceState, ResourceObject } from '../model/index.ts'
import { Listings } from './listings.ts'

const resource = {
  ref: { cluster: 'root', group: 'g', resource: 'things', namespace: 'n', name: 'x' },
  kind: { type: 'thing', schema: { version: 0, block: { attributes: [], blocks: [] } } },
} as unknown as ResourceObject

const object = (id: number, size: string): Value => valueObject({ id: String(id), size })
const identity = (id: number): Value => valueObject({ id: String(id) })
const known = (id: number, size = 'small') => ({ value: object(id, size), identity: identity(id) }) as InstanceState

function provider(session: Partial<AccessSession>): ProviderAccess {
  return { use: (work: (session: AccessSession) => Promise<unknown>) => work(session as AccessSession) } as never
}

/** A provider that lists so many things, of which one is large. */
function listing(count: number, more: Partial<AccessSession> = {}) {
  const limits: number[] = []
  async function* things() {
    for (let id = 0; id < count; id++)
      yield {
        displayName: '',
        identity: identity(id),
        resourceObject: object(id, id === 7 ? 'large' : 'small'),
        diagnostics: [],
      }
  }
  const list = async (_: string, limit: number) => {
    limits.push(limit)
    return things()
  }
  return { limits, access: provider({ list, ...more }) }
}

function listings() {
  return new Listings({ hash: (text) => text, countStates: async () => 1000 })
}

/** The answers about many resources, asked one after the other. */
async function askedAbout(count: number, access: ProviderAccess): Promise<boolean[]> {
  const swept = listings()
  const answers: boolean[] = []
  for (let id = 0; id < count; id++) answers.push(await swept.confirms(access, resource, known(id)))
  return answers
}

describe('a listing', () => {
  test('is not made for a few', async () => {
    const { access, limits } = listing(1000)
    expect(await askedAbout(200, access)).not.toContain(true)
    expect(limits).toEqual([])
  })

  test('confirms what it shows as it is known, and is made once', async () => {
    const { access, limits } = listing(1000)
    const answers = await askedAbout(1100, access)
    expect(answers.slice(0, 200)).not.toContain(true)
    expect(answers.slice(200, 1000)).not.toContain(false)
    expect(answers.slice(1000)).not.toContain(true)
    expect(limits).toEqual([4000])
  })

  test('confirms nothing that it shows otherwise', async () => {
    const { access } = listing(1000)
    const swept = listings()
    for (let id = 200; id < 400; id++) await swept.confirms(access, resource, known(id))
    expect(await swept.confirms(access, resource, known(7))).toBe(false)
    expect(await swept.confirms(access, resource, known(7, 'large'))).toBe(true)
  })

  test.each([
    ['the provider reads many at once', listing(1000, { batchesReads: () => true }).access],
    ['the provider can not list', provider({ list: async () => undefined })],
    ['listing fails', provider({ list: () => Promise.reject(new Error('not today')) })],
  ])('confirms nothing where %s', async (_, access) => {
    expect(await askedAbout(300, access)).not.toContain(true)
  })
})
