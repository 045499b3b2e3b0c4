import { createHmac, createPrivateKey, createPublicKey } from 'node:crypto'
import { ManualClock } from '@hykube/machinery/base'
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { createKey } from '../pki/authority.ts'
import type { BoundObject } from './bound-objects.ts'
import type { TokenAuthenticator } from './identity.ts'
import { LruCache } from './lru-cache.ts'
import { ServiceAccountKeys } from './service-account-keys.ts'
import { createServiceAccountAuthenticator } from './service-account-tokens.ts'
import { createTokenIssuer } from './token-issuer.ts'
import { answerTokenRequest, type TokenRequestContext } from './token-request.ts'

const issuer = 'https://kubernetes.default.svc.cluster.local'
const audiences = [issuer]
const signingKey = createPrivateKey(createKey())
const keys = new ServiceAccountKeys(signingKey)

let clock: ManualClock
let objects: Map<string, BoundObject>
let lookups: number
let authenticator: TokenAuthenticator
let context: TokenRequestContext

beforeEach(() => {
  clock = new ManualClock(Date.UTC(2026, 0, 1))
  objects = new Map<string, BoundObject>([
    ['root ServiceAccount ci builder', { uid: 'sa-1' }],
    ['other ServiceAccount ci builder', { uid: 'sa-1' }],
    ['root Secret ci s', { uid: 's-1' }],
    ['root Pod ci p', { uid: 'p-1', serviceAccountName: 'builder', nodeName: 'n' }],
    ['root Pod ci foreign', { uid: 'p-2', serviceAccountName: 'default' }],
    ['root Node  n', { uid: 'n-1' }],
  ])
  lookups = 0
  const find = (...key: string[]) => {
    lookups++
    return objects.get(key.join(' '))
  }
  authenticator = createServiceAccountAuthenticator({ keys, issuer, objects: { find }, clock })
  const tokens = createTokenIssuer({ keys, issuer, clock })
  context = { cluster: 'root', namespace: 'ci', name: 'builder', issuer: tokens, objects: { find }, audiences, clock }
})

const request = (spec: object = {}, metadata: object = {}) => ({ metadata, spec })
const tokenFor = async (spec: object = {}) => {
  const { object } = await answerTokenRequest(request(spec), context)
  return (object.status as { token: string }).token
}
const ask = async (token: string, more: object = {}) => authenticator.authenticateToken(token, { audiences, ...more })

describe('a requested token', () => {
  test('authenticates as its service account in its cluster', async () => {
    expect(await ask(await tokenFor())).toEqual({
      kind: 'authenticated',
      identity: {
        user: {
          name: 'system:serviceaccount:ci:builder',
          uid: 'sa-1',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:ci'],
          extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
        },
        audiences,
        cluster: 'root',
      },
    })
  })

  test('bound to a pod names the pod and its node', async () => {
    const token = await tokenFor({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'p-1' } })
    expect(await ask(token)).toMatchObject({
      identity: {
        user: {
          extra: {
            'authentication.kubernetes.io/pod-name': ['p'],
            'authentication.kubernetes.io/pod-uid': ['p-1'],
            'authentication.kubernetes.io/node-name': ['n'],
            'authentication.kubernetes.io/node-uid': ['n-1'],
          },
        },
      },
    })
    objects.delete('root Node  n')
    expect((await ask(token)).kind).toBe('authenticated')
  })

  test('is verified once and returns one user object, while its account is checked every time', async () => {
    const token = await tokenFor()
    const first = (await ask(token)) as { identity: { user: object } }
    const before = lookups
    const second = (await ask(token)) as { identity: { user: object } }
    expect(second.identity).toBe(first.identity)
    expect(lookups).toBe(before + 1)
  })

  test('can be verified by others with the published documents', async () => {
    const token = await tokenFor({ audiences: ['vault'] })
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys.jwks() as never), {
      audience: 'vault',
      issuer,
      currentDate: new Date(clock.now()),
    })
    expect(payload['kubernetes.io']).toEqual({
      clusterName: 'root',
      namespace: 'ci',
      serviceaccount: { name: 'builder', uid: 'sa-1' },
    })
    expect(JSON.stringify(keys.jwks())).not.toContain('"d"')
  })

  test('signed with a retired key is valid as long as that key is kept', async () => {
    const token = await tokenFor()
    const find = (...key: string[]) => objects.get(key.join(' '))
    const next = (retired: ConstructorParameters<typeof ServiceAccountKeys>[1]) =>
      createServiceAccountAuthenticator({
        keys: new ServiceAccountKeys(createPrivateKey(createKey()), retired),
        issuer,
        objects: { find },
        clock,
      })
    expect((await next([createPublicKey(signingKey)]).authenticateToken(token, { audiences })).kind).toBe(
      'authenticated',
    )
    expect((await next([]).authenticateToken(token, { audiences })).kind).toBe('refused')
  })
})

describe('attacks are rejected', () => {
  test.each<[string, number, string]>([
    ['just before the end', 3599, 'authenticated'],
    ['within the leeway', 3659, 'authenticated'],
    ['after the end', 3661, 'refused'],
    ['long after', 100_000, 'refused'],
    ['a little before the beginning', -59, 'authenticated'],
    ['before the beginning', -61, 'refused'],
  ])('a token used %s: %s s', async (_, seconds, kind) => {
    const token = await tokenFor()
    clock.advance(seconds * 1000)
    expect((await ask(token)).kind).toBe(kind)
  })

  test('an expired token, also from the cache', async () => {
    const token = await tokenFor()
    expect((await ask(token)).kind).toBe('authenticated')
    clock.advance(3661 * 1000)
    expect(await ask(token)).toEqual({ kind: 'refused', why: 'service account token has expired' })
  })

  test('a token for another audience', async () => {
    const token = await tokenFor({ audiences: ['vault'] })
    expect(await ask(token)).toMatchObject({ kind: 'refused', why: expect.stringContaining('target audiences') })
    expect(await ask(token, { audiences: ['vault', 'x'] })).toMatchObject({ identity: { audiences: ['vault'] } })
    expect((await ask(token)).kind).toBe('refused')
  })

  test('a token of another logical cluster, whose account has the same names and uid', async () => {
    const token = await tokenFor()
    expect((await ask(token, { cluster: 'root' })).kind).toBe('authenticated')
    for (const cluster of ['other', '*', '', 'root:sub', 'Root'])
      expect((await ask(token, { cluster })).kind).toBe('refused')
  })

  const claims = () => ({
    iss: issuer,
    aud: audiences,
    sub: 'system:serviceaccount:ci:builder',
    iat: clock.now() / 1000,
    nbf: clock.now() / 1000,
    exp: clock.now() / 1000 + 3600,
    jti: 'x',
    'kubernetes.io': { clusterName: 'root', namespace: 'ci', serviceaccount: { name: 'builder', uid: 'sa-1' } },
  })
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sign = (change: object, key = signingKey, header: object = {}) =>
    new SignJWT({ ...claims(), ...change })
      .setProtectedHeader({ alg: 'ES256', kid: keys.signingKeyId, ...header })
      .sign(key)

  test('well-formed claims are accepted, so that the rejections below have their own reason', async () => {
    expect((await ask(await sign({}))).kind).toBe('authenticated')
  })

  test.each<[string, () => string | Promise<string>, string]>([
    [
      'alg none without a signature',
      () => `${encode({ alg: 'none', kid: keys.signingKeyId })}.${encode(claims())}.`,
      'refused',
    ],
    ['alg None', () => `${encode({ alg: 'None', kid: keys.signingKeyId })}.${encode(claims())}.AA`, 'refused'],
    [
      'HMAC with the public key as the secret',
      () => {
        const body = `${encode({ alg: 'HS256', kid: keys.signingKeyId })}.${encode(claims())}`
        const secret = createPublicKey(signingKey).export({ type: 'spki', format: 'pem' })
        return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
      },
      'refused',
    ],
    ['another key under our id', () => sign({}, createPrivateKey(createKey())), 'refused'],
    ['an unknown key id', () => sign({}, signingKey, { kid: 'x' }), 'refused'],
    [
      'an embedded key',
      () => {
        const own = createPrivateKey(createKey())
        return sign({}, own, { kid: undefined, jwk: createPublicKey(own).export({ format: 'jwk' }) })
      },
      'refused',
    ],
    ['another issuer', () => sign({ iss: 'https://evil.example' }), 'unknown'],
    ['no expiry', () => sign({ exp: undefined }), 'refused'],
    ['no audience', () => sign({ aud: undefined }), 'refused'],
    [
      'no cluster',
      () => sign({ 'kubernetes.io': { namespace: 'ci', serviceaccount: { name: 'builder', uid: 'sa-1' } } }),
      'refused',
    ],
    ['issued in the future', () => sign({ iat: clock.now() / 1000 + 600 }), 'refused'],
    ['a subject other than the account', () => sign({ sub: 'system:serviceaccount:kube-system:admin' }), 'refused'],
    ['an unreadable binding', () => sign({ 'kubernetes.io': { ...claims()['kubernetes.io'], pod: 'p' } }), 'refused'],
    [
      'a changed payload',
      async () => {
        const [header, , signature] = (await sign({})).split('.')
        return `${header}.${encode({ ...claims(), sub: 'system:serviceaccount:ci:root' })}.${signature}`
      },
      'refused',
    ],
    ['rubbish', () => 'a.b.c', 'unknown'],
    ['no token at all', () => 'abc', 'unknown'],
  ])('%s', async (_, make, kind) => {
    expect((await ask(await make())).kind).toBe(kind)
  })

  test.each<[string, string, BoundObject | undefined, object]>([
    ['a deleted account', 'root ServiceAccount ci builder', undefined, {}],
    ['a recreated account', 'root ServiceAccount ci builder', { uid: 'sa-2' }, {}],
    [
      'an account being deleted',
      'root ServiceAccount ci builder',
      { uid: 'sa-1', deletionTimestamp: '2025-12-31T23:00:00Z' },
      {},
    ],
    ['a deleted secret', 'root Secret ci s', undefined, { kind: 'Secret', name: 's' }],
    ['a deleted pod', 'root Pod ci p', undefined, { kind: 'Pod', name: 'p' }],
    ['a recreated pod', 'root Pod ci p', { uid: 'p-9', serviceAccountName: 'builder' }, { kind: 'Pod', name: 'p' }],
    ['a deleted node', 'root Node  n', undefined, { kind: 'Node', name: 'n' }],
  ])('the token of %s, at once', async (_, key, now, boundObjectRef) => {
    const token = await tokenFor(
      'kind' in boundObjectRef ? { boundObjectRef: { apiVersion: 'v1', ...boundObjectRef } } : {},
    )
    expect((await ask(token)).kind).toBe('authenticated')
    if (now === undefined) objects.delete(key)
    else objects.set(key, now)
    expect((await ask(token)).kind).toBe('refused')
  })
})

describe('a TokenRequest', () => {
  test('is answered with the token, its expiry and defaults', async () => {
    expect(await answerTokenRequest(request(), context)).toEqual({
      object: {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name: 'builder', namespace: 'ci', uid: 'sa-1', creationTimestamp: '2026-01-01T00:00:00Z' },
        spec: { audiences, expirationSeconds: 3600, boundObjectRef: null },
        status: { token: expect.any(String), expirationTimestamp: '2026-01-01T01:00:00Z' },
      },
      warnings: [],
      credentialId: expect.stringMatching(/^JTI=/),
    })
  })

  test('above the maximum lifetime is shortened, with a warning', async () => {
    const answer = await answerTokenRequest(request({ expirationSeconds: 7200 }), { ...context, maximumSeconds: 3600 })
    expect(answer.warnings).toEqual(['requested expiration of 7200 seconds shortened to 3600 seconds'])
    expect(answer.object.status).toMatchObject({ expirationTimestamp: '2026-01-01T01:00:00Z' })
  })

  test.each<[string, object, object, string, string]>([
    [
      'too short',
      { expirationSeconds: 599 },
      {},
      'Invalid',
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
    ['too long', { expirationSeconds: 2 ** 32 + 1 }, {}, 'Invalid', 'larger than 2^32 seconds'],
    ['not a number', { expirationSeconds: '600' }, {}, 'Invalid', 'must be an integer'],
    ['for another name', {}, { name: 'x' }, 'Invalid', 'must match the service account name if specified'],
    [
      'for another namespace',
      {},
      { namespace: 'x' },
      'Invalid',
      'must match the service account namespace if specified',
    ],
    [
      'for another uid',
      {},
      { uid: 'x' },
      'Conflict',
      'the UID in the token request (x) does not match the UID of the service account (sa-1)',
    ],
    [
      'for a missing pod',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'x' } },
      {},
      'NotFound',
      'pods "x" not found',
    ],
    [
      'for a pod of another account',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'foreign' } },
      {},
      'BadRequest',
      'different serviceaccount name',
    ],
    [
      'for a recreated secret',
      { boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'old' } },
      {},
      'Conflict',
      'deleted and then recreated',
    ],
    [
      'for another kind',
      { boundObjectRef: { apiVersion: 'v1', kind: 'ConfigMap', name: 'x' } },
      {},
      'BadRequest',
      'cannot bind token to object of type',
    ],
    [
      'for a kind of the prototype',
      { boundObjectRef: { apiVersion: 'v1', kind: 'constructor', name: 'x' } },
      {},
      'BadRequest',
      'cannot bind token',
    ],
  ])('%s is rejected', async (_, spec, metadata, reason, message) => {
    await expect(answerTokenRequest(request(spec, metadata), context)).rejects.toMatchObject({
      reason,
      message: expect.stringContaining(message),
    })
  })

  test('for a missing account is 404', async () => {
    const missing = answerTokenRequest(request(), { ...context, name: 'nobody' })
    await expect(missing).rejects.toMatchObject({ reason: 'NotFound', message: 'serviceaccounts "nobody" not found' })
  })
})

test('a cache keeps the most recently used entries until they expire', () => {
  const cache = new LruCache<number>(2)
  cache.set('a', 1, 100)
  cache.set('b', 2, 100)
  expect(cache.get('a', 0)).toBe(1)
  cache.set('c', 3, 100)
  expect([cache.get('a', 0), cache.get('b', 0), cache.get('c', 99)]).toEqual([1, undefined, 3])
  expect(cache.get('c', 100)).toBeUndefined()
  expect(cache.size).toBe(1)
})
