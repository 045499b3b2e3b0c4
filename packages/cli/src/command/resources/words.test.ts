import { addressToText } from '@hykube/machinery/object'
import { describe, expect, test } from 'vitest'
import { FakeTerminal } from '../testing/index.ts'
import { objectsFrom, readDocuments } from './documents.ts'
import { referencesIn } from './references.ts'

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
    ['kind: A\n', 'has no apiVersion or kind'],
    ['apiVersion: v1\nkind: A\n', 'a A without metadata.name'],
    ['a: [1\n', 'cannot read f'],
    ['{a: *b}', 'cannot read f'],
  ])('%j is refused with a message', async (text, message) => {
    await expect(objectsFrom('f', text)).rejects.toThrow(message)
  })

  test('missing files are named', async () => {
    await expect(readDocuments(['/nowhere/x.yaml'], new FakeTerminal())).rejects.toThrow(
      '/nowhere/x.yaml does not exist',
    )
  })
})
