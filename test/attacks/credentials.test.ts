import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../e2e/server.ts'
import { certificateOf, forged, send, tokenOf, withHead } from './attacker.ts'

let server: TestServer
let stranger: TestServer
let token: string

beforeAll(async () => {
  ;[server, stranger] = await Promise.all([
    startServer({ arguments: ['--store', 'memory:', '--cluster', 'other'] }),
    startServer(),
  ])
  token = await tokenOf(server, 'default/default')
})

afterAll(async () => {
  await Promise.all([server.remove(), stranger.remove()])
})

const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const whoami = (given: string) => send(server, { method: 'POST', path, token: given, body: {} })
const seconds = () => Math.floor(Date.now() / 1000)

test('the token as it is, is good', async () => {
  const { status, document } = await whoami(token)
  expect(status).toBe(201)
  expect(document.status.userInfo.username).toBe('system:serviceaccount:default:default')
})

describe('a token is refused', () => {
  const head = { alg: 'none', typ: 'JWT' }
  test.each<[string, () => string]>([
    ['that has expired', () => forged(server, token, (claims) => ({ ...claims, exp: seconds() - 120 }))],
    ['that is not valid yet', () => forged(server, token, (claims) => ({ ...claims, nbf: seconds() + 600 }))],
    ['that was issued in the future', () => forged(server, token, (claims) => ({ ...claims, iat: seconds() + 600 }))],
    ['that never ends', () => forged(server, token, ({ exp: _, ...claims }) => claims)],
    ['for another audience', () => forged(server, token, (claims) => ({ ...claims, aud: ['vault'] }))],
    ['of another issuer', () => forged(server, token, (claims) => ({ ...claims, iss: 'https://evil.example' }))],
    ['of an account with another uid', () => forged(server, token, (claims) => withAccount(claims, { uid: 'x' }))],
    ['of an account that is not there', () => forged(server, token, (claims) => withAccount(claims, { name: 'none' }))],
    ['without a signature', () => `${token.split('.').slice(0, 2).join('.')}.`],
    ['with alg none', () => withHead(token, head, '')],
    ['with alg none and the old signature', () => withHead(token, head, token.split('.')[2]!)],
    ['with alg NoNe', () => withHead(token, { ...head, alg: 'NoNe' }, '')],
    ['with the algorithm of a shared secret', () => withHead(token, { ...head, alg: 'HS256' }, token.split('.')[2]!)],
    ['whose last bytes are cut off', () => token.slice(0, -8)],
    ['of two dots', () => '..'],
    ['that is empty text', () => '""'],
    ['that is long', () => 'a'.repeat(20_000)],
  ])('%s', async (_, make) => {
    const { status, document } = await whoami(make())
    expect(status).toBe(401)
    expect(document).toMatchObject({ kind: 'Status', reason: 'Unauthorized' })
  })

  test('for another audience although the server gave it', async () => {
    const meant = await tokenOf(server, 'default/default', 'root', { audiences: ['vault'] })
    expect((await whoami(meant)).status).toBe(401)
  })

  test('of another server', async () => {
    expect((await whoami(await tokenOf(stranger, 'default/default'))).status).toBe(401)
    expect((await whoami(stranger.adminToken)).status).toBe(401)
  })

  test('when its account is gone', async () => {
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await send(server, {
      method: 'POST',
      path: accounts,
      token: server.adminToken,
      body: { metadata: { name: 'gone' } },
    })
    const given = await tokenOf(server, 'default/gone')
    expect((await whoami(given)).status).toBe(201)
    await send(server, { method: 'DELETE', path: `${accounts}/gone`, token: server.adminToken })
    expect((await whoami(given)).status).toBe(401)
  })
})

describe('a certificate', () => {
  test('of this server is its user', async () => {
    const { document } = await send(server, { method: 'POST', path, body: {}, certificate: certificateOf(server) })
    expect(document.status.userInfo.username).toBe('admin')
  })

  test('of another authority is nobody’s', async () => {
    const { status } = await send(server, { path: '/api/v1/secrets', certificate: certificateOf(stranger) })
    expect(status).toBe(401)
  })
})

test('a request without credentials sees health and nothing else', async () => {
  expect((await send(server, { path: '/livez' })).status).toBe(200)
  for (const closed of ['/api/v1/secrets', '/apis', '/openapi/v2', '/metrics', '/api/v1/namespaces/default/secrets/x'])
    expect([401, 403]).toContain((await send(server, { path: closed })).status)
})

function withAccount(claims: Record<string, unknown>, change: object): object {
  const kubernetes = claims['kubernetes.io'] as { serviceaccount: object }
  return { ...claims, 'kubernetes.io': { ...kubernetes, serviceaccount: { ...kubernetes.serviceaccount, ...change } } }
}
