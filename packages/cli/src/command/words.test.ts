import { describe, expect, test } from 'vitest'
import { addressFromText, addressToText } from './address.ts'
import { objectsFrom, readDocuments } from './documents.ts'
import { referencesIn } from './references.ts'
import { closest } from './suggestion.ts'
import { FakeTerminal } from './testing/index.ts'

describe('an address', () => {
  test.each([
    ['sim_network.main', { data: false, type: 'sim_network', name: 'main' }],
    ['data.sim_image.debian', { data: true, type: 'sim_image', name: 'debian' }],
    ['aws_vpc["my-vpc"]', { data: false, type: 'aws_vpc', name: 'my-vpc' }],
    ['aws_vpc["net/main"]', { data: false, type: 'aws_vpc', namespace: 'net', name: 'main' }],
    ['sim_instance.web[3]', { data: false, type: 'sim_instance', name: 'web', index: 3 }],
    ['sim_bucket.b["k"]', { data: false, type: 'sim_bucket', name: 'b', index: 'k' }],
  ])('%s is read and written again', (text, address) => {
    expect(addressFromText(text)).toEqual(address)
    expect(addressToText(address)).toBe(text)
  })

  test('may name its provider', () => {
    expect(addressFromText('provider["aws6"].aws_vpc.main')).toMatchObject({ provider: 'aws6', name: 'main' })
  })

  test.each(['', 'friday', 'a.b.c', 'a["x/y/z"]', 'a[""]', 'a.b[', '.a', 'plan/friday'])('%j is none', (text) => {
    expect(addressFromText(text)).toBeUndefined()
  })
})

test('references are found in expressions, depends_on and replace_triggered_by', () => {
  const spec = {
    subnet_id: '${sim_subnet["my-a"].id}',
    tags: {
      text: 'in ${sim_network.main.name} and $${sim_network.not.one}',
      inner: '${{"a": data.sim_image.x.id}["a"]}',
    },
    depends_on: ['sim_null.first'],
    lifecycle: { replace_triggered_by: ['sim_secret.key.value_version'] },
    all: '${sim_instance.web[*].id}',
    key: '${each.value.sim_x}',
  }
  expect(referencesIn(spec).map(addressToText).sort()).toEqual([
    'data.sim_image.x',
    'sim_instance.web',
    'sim_network.main',
    'sim_null.first',
    'sim_secret.key',
    'sim_subnet["my-a"]',
  ])
})

test.each([
  ['sim_netwrk', 'sim_network'],
  ['SIM_NETWORK', 'sim_network'],
  ['zzz', undefined],
])('%s looks like %s', (word, expected) => {
  expect(closest(word, ['sim_network', 'sim_subnet', 'sim_bucket'])).toBe(expected)
})

describe('documents', () => {
  test('come in YAML of several, in JSON, and in lists', async () => {
    const yaml =
      'apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\n# nothing\n---\n{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}]}\n'
    expect((await objectsFrom('f', yaml)).map(({ object }) => object.kind)).toEqual(['A', 'B'])
  })

  test('come from what is piped in', async () => {
    const terminal = new FakeTerminal({ input: '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}' })
    expect(await readDocuments(['-'], terminal)).toHaveLength(1)
  })

  test.each([
    ['kind: A\n', 'without apiVersion and kind'],
    ['apiVersion: v1\nkind: A\n', 'a A without metadata.name'],
    ['a: [1\n', 'cannot read f'],
    ['{a: *b}', 'cannot read f'],
  ])('%j is refused in words', async (text, message) => {
    await expect(objectsFrom('f', text)).rejects.toThrow(message)
  })

  test('that are not there are named', async () => {
    await expect(readDocuments(['/nowhere/x.yaml'], new FakeTerminal())).rejects.toThrow(
      '/nowhere/x.yaml does not exist',
    )
  })
})
