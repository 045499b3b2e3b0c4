import { X509Certificate } from 'node:crypto'
import { ManualClock } from '@hykube/machinery/base'
import { describe, expect, test } from 'vitest'
import { authorityFrom, createAuthorityCertificate, createKey } from '../pki/authority.ts'
import { type AuthenticationRequest, createAuthenticator } from './authenticator.ts'
import { createCertificateAuthenticator } from './client-certificate.ts'
import { refused, type TokenAuthenticator, unknown } from './identity.ts'
import { createStaticTokenAuthenticator } from './static-tokens.ts'
import { reviewSelfSubject, reviewToken } from './subject-review.ts'

const now = Date.UTC(2026, 0, 1)
const clock = new ManualClock(now)
const audiences = ['api']
const authority = () => {
  const key = createKey()
  return authorityFrom({ key, certificate: createAuthorityCertificate(key, 'ca', { now }) })
}
const [ours, theirs] = [authority(), authority()]
const certificateOf = (from: typeof ours, commonName: string) =>
  new X509Certificate(from.issueClient({ commonName }, { now }).certificate)

const picky: TokenAuthenticator = {
  authenticateToken: (token, { cluster }) => {
    if (!token.startsWith('picky')) return unknown
    return cluster === 'closed'
      ? refused('not here')
      : { kind: 'authenticated', identity: { user: { name: token, groups: [] }, cluster: 'home' } }
  },
}
const options = {
  certificates: createCertificateAuthenticator({ authorities: [ours.certificate], clock }),
  tokens: [
    picky,
    createStaticTokenAuthenticator(
      [
        { token: 'good', user: { name: 'jane', uid: 'u', groups: ['dev'] } },
        { token: 'nobody', user: { name: 'system:anonymous', groups: [] } },
      ],
      audiences,
    ),
  ],
  audiences,
}
const authenticator = createAuthenticator(options)

const request = (
  headers: Record<string, string[]> = {},
  more: Partial<AuthenticationRequest> = {},
): AuthenticationRequest => ({
  header: (name) => headers[name] ?? [],
  headerNames: () => Object.keys(headers),
  path: '/api',
  ...more,
})
const bearer = (token: string, more: Partial<AuthenticationRequest> = {}) =>
  request({ authorization: [`Bearer ${token}`] }, more)
const nameOf = async (asked: AuthenticationRequest) => (await authenticator.authenticate(asked)).user.name

describe('a request with', () => {
  const good = () => certificateOf(ours, 'john')
  const bad = () => certificateOf(theirs, 'admin')

  test.each<[string, AuthenticationRequest, string]>([
    ['nothing is anonymous', request(), 'system:anonymous'],
    ['another scheme is anonymous', request({ authorization: ['Basic YTpi'] }), 'system:anonymous'],
    ['an empty token is anonymous', request({ authorization: ['Bearer '] }), 'system:anonymous'],
    ['a scheme alone is anonymous', request({ authorization: ['Bearer'] }), 'system:anonymous'],
    ['a good token is its user', bearer('good'), 'jane'],
    ['a good token, however the scheme is spelled', request({ authorization: ['  bEARER good'] }), 'jane'],
    ['a good certificate is its user', request({}, { peerCertificate: good() }), 'john'],
    ['both is the certificate’s', bearer('good', { peerCertificate: good() }), 'john'],
    ['a good certificate and a bad token is the certificate’s', bearer('bad', { peerCertificate: good() }), 'john'],
    ['a bad certificate and a good token is the token’s', bearer('good', { peerCertificate: bad() }), 'jane'],
    ['a token that a later one knows', bearer('good', { cluster: 'closed' }), 'jane'],
  ])('%s', async (_, asked, name) => {
    expect(await nameOf(asked)).toBe(name)
  })

  test.each<[string, AuthenticationRequest]>([
    ['a wrong token', bearer('bad')],
    ['a token with something behind it', bearer('goodx')],
    ['a token refused', bearer('picky', { cluster: 'closed' })],
    ['a bad certificate', request({}, { peerCertificate: bad() })],
    ['a bad certificate and a bad token', bearer('bad', { peerCertificate: bad() })],
  ])('%s gets 401 that says no more', async (_, asked) => {
    await expect(authenticator.authenticate(asked)).rejects.toMatchObject({
      code: 401,
      reason: 'Unauthorized',
      message: 'Unauthorized',
    })
  })
})

test('all who show who they are get the group, whoever is anonymous gets the other', async () => {
  expect((await authenticator.authenticate(bearer('good'))).user.groups).toEqual(['dev', 'system:authenticated'])
  expect((await authenticator.authenticate(request())).user.groups).toEqual(['system:unauthenticated'])
  expect((await authenticator.authenticate(bearer('nobody'))).user.groups).toEqual([])
})

test('the same credentials give the same object, and a token may name its cluster', async () => {
  const [first, second] = await Promise.all([
    authenticator.authenticate(bearer('good')),
    authenticator.authenticate(bearer('good')),
  ])
  expect(second).toBe(first)
  expect((await authenticator.authenticate(bearer('picky1'))).cluster).toBe('home')
  expect(first.cluster).toBeUndefined()
})

test.each<[boolean | readonly string[], string, boolean]>([
  [true, '/api', true],
  [false, '/healthz', false],
  [['/healthz', '/livez'], '/livez', true],
  [['/healthz'], '/healthz/', false],
  [['/healthz'], '/api', false],
])('anonymous %j at %s: %s', async (anonymous, path, allowed) => {
  const outcome = createAuthenticator({ ...options, anonymous }).authenticate(request({}, { path }))
  if (allowed) expect((await outcome).user.name).toBe('system:anonymous')
  else await expect(outcome).rejects.toMatchObject({ code: 401 })
})

describe('a TokenReview', () => {
  const context = { authenticator, cluster: 'root', audiences }
  const review = (spec: object) => reviewToken({ kind: 'TokenReview', spec } as never, context)

  test('says whose token it is, and for which of the asked audiences', async () => {
    expect(await review({ token: 'good', audiences: ['x', 'api'] })).toEqual({
      kind: 'TokenReview',
      spec: { token: 'good', audiences: ['x', 'api'] },
      status: {
        authenticated: true,
        user: { username: 'jane', uid: 'u', groups: ['dev', 'system:authenticated'] },
        audiences: ['api'],
      },
    })
    expect((await review({ token: 'good' })).status).toMatchObject({ authenticated: true, audiences })
  })

  test('says why it is nobody’s', async () => {
    expect((await review({ token: 'bad' })).status).toEqual({ user: {}, error: 'invalid bearer token' })
    expect((await review({ token: 'good', audiences: ['vault'] })).status).toEqual({
      user: {},
      error: 'invalid bearer token',
    })
    const closed = await reviewToken({ spec: { token: 'picky' } }, { ...context, cluster: 'closed' })
    expect(closed.status).toEqual({ user: {}, error: 'not here' })
  })

  test('without a token is 400', async () => {
    await expect(review({})).rejects.toMatchObject({ reason: 'BadRequest' })
  })
})

test('a SelfSubjectReview says who asks', () => {
  const user = { name: 'jane', groups: ['dev'], extra: { k: ['v'] } }
  expect(reviewSelfSubject(user, clock)).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    status: { userInfo: { username: 'jane', groups: ['dev'], extra: { k: ['v'] } } },
  })
})
