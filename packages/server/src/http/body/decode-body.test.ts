import { describe, expect, test } from 'vitest'
import { builtIn, fooType } from '../openapi/testing/foo-type.ts'
import { decodeObject, requireObject } from './decode-body.ts'

const json = 'application/json'

function readAs(type: ReturnType<typeof fooType>, body: string, contentType = json) {
  return requireObject(decodeObject(Buffer.from(body), contentType, type).value, type)
}

describe('a body for a built-in kind', () => {
  const map = builtIn('ConfigMap')

  test.each([['null'], ['{}'], ['{"kind":"ConfigMap"}'], ['{"apiVersion":"v1"}']])(
    'needs no apiVersion and kind (%s)',
    (body) => {
      expect(readAs(map, body)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' })
    },
  )

  test.each([
    ['[]', /json: cannot unmarshal array into Go value of type struct \{ APIVersion string .* \} \(5b5d\)$/],
    ['{', /couldn't get version\/kind; json parse error: unexpected end of JSON input \(\{\)$/],
    ['{"apiVersion":"a/b/c"}', /: unexpected GroupVersion string: a\/b\/c \(\{"apiVersion":"a\/b\/c"\}\)$/],
    [
      '{"kind":"Secret"}',
      /^Secret in version "v1" .* converting \(v1.Secret\) to \(core.ConfigMap\): unknown conversion$/,
    ],
    ['{"apiVersion":"apps/v1","kind":"Deployment"}', /converting \(v1.Deployment\) to \(core.ConfigMap\)/],
    ['{"kind":"Nope"}', /^Nope in version "v1" .*: no kind "Nope" is registered for version "v1" in scheme/],
    ['{"kind":"PodSpec"}', /no kind "PodSpec" is registered for version "v1"/],
    ['{"apiVersion":"v2"}', /no kind "ConfigMap" is registered for version "v2"/],
  ])('must have the right apiVersion and kind if it has any (%s)', (body, message) => {
    expect(() => readAs(map, body)).toThrow(message)
  })

  test('is rejected with the line when it is invalid YAML', () => {
    expect(() => readAs(map, 'a: [', 'application/yaml')).toThrow(
      /\(must be of type ConfigMap\): yaml: line 1: .* \(613a205b\)$/,
    )
  })
})

describe('a body for a kind of the server itself', () => {
  test.each(['null', '{}', '{"kind":"Foo"}'])('needs no apiVersion and kind (%s)', (body) => {
    expect(readAs(fooType(), body)).toEqual({ apiVersion: 'stable.example.com/v1', kind: 'Foo' })
  })
})

describe('a body for a custom kind', () => {
  test.each([
    ['null', "Object 'Kind' is missing in 'null' (6e756c6c)"],
    ['{}', "Object 'Kind' is missing in '{}' ({})"],
    [
      '{"kind":"Foo"}',
      'the API version in the data () does not match the expected API version (stable.example.com/v1)',
    ],
    ['{"apiVersion":"v7","kind":"Foo"}', 'the API version in the data (v7) does not match'],
    ['{"apiVersion":"stable.example.com/v1","kind":"Nope"}', 'must be Foo'],
  ])('must have apiVersion and kind (%s)', (body, message) => {
    expect(() => readAs(fooType(undefined, { requiresKindInBody: true }), body)).toThrow(message)
  })
})
