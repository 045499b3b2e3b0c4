import { createSecureContext } from 'node:tls'
import { expect, test } from 'vitest'
import { tlsSettings } from './tls-settings.ts'

test('have no CBC suite and no version before 1.2 by default', () => {
  const { minVersion, ciphers } = tlsSettings('VersionTLS12', [])
  expect(minVersion).toBe('TLSv1.2')
  for (const name of ciphers.split(':')) expect(name).toMatch(/GCM|CHACHA20/)
  expect(ciphers).toContain('ECDHE-ECDSA-AES128-GCM-SHA256')
  createSecureContext({ minVersion, ciphers })
})

test('replace the suites of TLS 1.2 by the chosen ones, and keep those of TLS 1.3', () => {
  const { ciphers } = tlsSettings('VersionTLS12', ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'TLS_AES_128_GCM_SHA256'])
  expect(ciphers.split(':')).toEqual([
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-RSA-AES128-SHA',
  ])
})

test.each([
  ['VersionTLS10', [], '--tls-min-version is "VersionTLS10", and must be one of VersionTLS12, VersionTLS13'],
  ['1.2', [], '--tls-min-version is "1.2"'],
  ['constructor', [], '--tls-min-version is "constructor"'],
  ['VersionTLS12', ['TLS_RSA_WITH_RC4_128_SHA'], '--tls-cipher-suites has "TLS_RSA_WITH_RC4_128_SHA"'],
  ['VersionTLS12', ['ECDHE-RSA-AES128-SHA'], '--tls-cipher-suites has "ECDHE-RSA-AES128-SHA"'],
  ['VersionTLS12', [''], '--tls-cipher-suites has ""'],
])('rejects %s with %j', (version, suites, message) => {
  expect(() => tlsSettings(version, suites)).toThrow(message)
})
