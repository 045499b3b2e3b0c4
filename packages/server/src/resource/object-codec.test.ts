import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeObject, encodeObject, stampedBytes } from './object-codec.ts'

test('stamps the revision into any object', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constant('"resourceVersion":"'),
    fc.constant('é💥'),
    fc.constant('\\"resourceVersion\\":\\"'),
  )
  const object = fc.record({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('ConfigMap'),
    metadata: fc.record({ name: text, namespace: text, labels: fc.dictionary(text, text) }),
    data: fc.dictionary(text, text),
  })
  fc.assert(
    fc.property(object, fc.integer({ min: 1, max: 2 ** 53 - 1 }), (given, revision) => {
      const stored = decodeObject(stampedBytes(encodeObject(given), revision))
      expect(stored).toEqual({ ...given, metadata: { ...given.metadata, resourceVersion: String(revision) } })
    }),
  )
})

test('encodes apiVersion, kind and metadata first and drops the resourceVersion of the client', () => {
  const { bytes } = encodeObject({
    data: {},
    metadata: { labels: {}, resourceVersion: '7', name: 'a' },
    kind: 'K',
    apiVersion: 'v1',
  })
  expect(Buffer.from(bytes).toString()).toBe(
    '{"apiVersion":"v1","kind":"K","metadata":{"name":"a","resourceVersion":"","labels":{}},"data":{}}',
  )
})

test.each(['9007199254740993', '-12345678901234567890', '0.1000000000000000055', '1e400', '[1,9007199254740993]'])(
  'the number %s keeps its digits',
  (number) => {
    const text = `{"apiVersion":"v1","kind":"K","metadata":{"name":"a","resourceVersion":""},"spec":{"n":${number}}}`
    const object = decodeObject(Buffer.from(text))
    expect(Buffer.from(encodeObject(object).bytes).toString()).toBe(text)
  },
)
