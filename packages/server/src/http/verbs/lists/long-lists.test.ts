import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { openTestStore, type TestStore } from '../../../resource/testing/index.ts'
import { TestApi } from '../../testing/index.ts'

const path = '/api/v1/namespaces/default/configmaps'
const names = Array.from({ length: 230 }, (_, at) => `map-${String(at).padStart(3, '0')}`)
const yaml = { headers: { accept: 'application/yaml' } }

let store: TestStore
let api: TestApi

beforeEach(async () => {
  store = await openTestStore()
  api = await TestApi.open(store.store)
  for (const name of names) await api.post(path, { metadata: { name }, data: { text: 'x'.repeat(100) } })
})
afterEach(() => store.close())

const namesIn = ({ items }: { items: { metadata: { name: string } }[] }) => items.map(({ metadata }) => metadata.name)

test('a long list has the same content in every form, complete and in pages', async () => {
  const { document } = await api.get(path)
  expect(namesIn(document)).toEqual(names)
  expect((await api.get(`${path}?pretty=true`)).document).toEqual(document)
  expect(parse((await api.get(path, yaml)).document)).toEqual(document)
  const page = (await api.get(`${path}?limit=150`)).document
  expect(namesIn(page)).toHaveLength(150)
  expect((await api.get(`${path}?limit=150&pretty=true`)).document).toEqual(page)
  expect(parse((await api.get(`${path}?limit=150`, yaml)).document)).toEqual(page)
})

test('an empty list is valid in every form', async () => {
  const nothing = `${path}?labelSelector=a%3Db`
  const { document } = await api.get(nothing)
  expect(document.items).toEqual([])
  expect((await api.get(`${nothing}&pretty=true`)).document).toEqual(document)
  expect(parse((await api.get(nothing, yaml)).document)).toEqual(document)
})

test('a deletion of many objects returns all of them', async () => {
  const { status, document } = await api.delete(path)
  expect([status, document.kind, namesIn(document)]).toEqual([200, 'ConfigMapList', names])
  expect((await api.get(path)).document.items).toEqual([])
})
