import { describe, expect, test } from 'vitest'
import type { HeaderField } from '../hpack/index.ts'
import { areTrailers, requestHead } from './request-head.ts'

const plain: readonly HeaderField[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':path', '/a?b=c'],
  [':authority', 'host:6443'],
]

describe('request headers', () => {
  test('are parsed into method, target and content length', () => {
    const head = requestHead([...plain, ['content-length', '12'], ['host', 'host:6443'], ['x', 'é\t!']])
    expect(head).toEqual({ method: 'POST', target: '/a?b=c', contentLength: 12 })
    expect(requestHead(plain)).toMatchObject({ contentLength: undefined })
  })

  const without = (name: string) => plain.filter(([each]) => each !== name)
  const cases: [string, readonly HeaderField[]][] = [
    ['no method', without(':method')],
    ['no scheme', without(':scheme')],
    ['no path', without(':path')],
    ['an empty path', [...without(':path'), [':path', '']]],
    ['a path without a leading slash', [...without(':path'), [':path', 'a']]],
    ['a star with another method than OPTIONS', [...without(':path'), [':path', '*']]],
    ['a fragment', [...without(':path'), [':path', '/a#b']]],
    ['a space in the method', [...without(':method'), [':method', 'GET /']]],
    ['a method twice', [...plain, [':method', 'POST']]],
    ['a path twice', [...plain, [':path', '/b']]],
    ['a response pseudo-header', [...plain, [':status', '200']]],
    ['an unknown pseudo-header', [...plain, [':protocol', 'websocket']]],
    ['a pseudo-header after regular headers', [['x', 'y'], ...plain]],
    ['a name in upper case', [...plain, ['Accept', 'x']]],
    ['an empty name', [...plain, ['', 'x']]],
    ['a space in a name', [...plain, ['a b', 'x']]],
    ['a colon in a name', [...plain, ['a:b', 'x']]],
    ['a line break in a value', [...plain, ['x', 'a\r\nb: c']]],
    ['a NUL in a value', [...plain, ['x', 'a\0']]],
    ['a space in front of a value', [...plain, ['x', ' a']]],
    ['a tab behind a value', [...plain, ['x', 'a\t']]],
    ['connection', [...plain, ['connection', 'close']]],
    ['keep-alive', [...plain, ['keep-alive', '5']]],
    ['proxy-connection', [...plain, ['proxy-connection', 'x']]],
    ['transfer-encoding', [...plain, ['transfer-encoding', 'chunked']]],
    ['upgrade', [...plain, ['upgrade', 'h2c']]],
    ['te that is not trailers', [...plain, ['te', 'gzip']]],
    ['a negative length', [...plain, ['content-length', '-1']]],
    ['a length with a sign', [...plain, ['content-length', '+1']]],
    ['two lengths', [...plain, ['content-length', '1'], ['content-length', '2']]],
    ['another host', [...plain, ['host', 'other']]],
    ['two hosts', [...without(':authority'), ['host', 'a'], ['host', 'b']]],
    ['a user in the authority', [...without(':authority'), [':authority', 'me@host']]],
    ['a path in the authority', [...without(':authority'), [':authority', 'host/a']]],
  ]
  test.each(cases)('are rejected with %s', (_, fields) => {
    expect(requestHead(fields)).toBeUndefined()
  })

  test('accept a star with OPTIONS', () => {
    const fields: HeaderField[] = [
      [':method', 'OPTIONS'],
      [':scheme', 'https'],
      [':path', '*'],
    ]
    expect(requestHead(fields)).toMatchObject({ target: '*' })
  })
})

test.each<[boolean, HeaderField]>([
  [true, ['x-checksum', '1']],
  [false, [':path', '/']],
  [false, ['connection', 'close']],
  [false, ['X', '1']],
])('trailers: %s for %s', (allowed, field) => {
  expect(areTrailers([field])).toBe(allowed)
})
