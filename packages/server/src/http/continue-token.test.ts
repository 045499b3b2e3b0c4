import { expect, test } from 'vitest'
import { continueTokenFromText, continueTokenToText } from './continue-token.ts'

test('a token is decoded to the same position', () => {
  const token = { revision: 7, cluster: 'root', namespace: 'default', name: 'a', before: 500 }
  expect(continueTokenFromText(continueTokenToText(token))).toEqual(token)
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')

test.each([
  ['nope', String.raw`invalid character '\u009e' looking for beginning of value`],
  ['!!', 'illegal base64 data at input byte 0'],
  ['e30=', 'illegal base64 data at input byte 3'],
  [encoded('{"v":'), 'unexpected end of JSON input'],
  [encoded('[]'), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
  [encoded('null'), 'server does not recognize this encoded version '],
  [encoded('{"v":"x"}'), 'server does not recognize this encoded version x'],
  [encoded('{"v":"meta.k8s.io/v1"}'), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
])('an invalid token is rejected as in Kubernetes (%s)', (text, why) => {
  expect(() => continueTokenFromText(text)).toThrow(`invalid continue token: continue key is not valid: ${why}`)
})
