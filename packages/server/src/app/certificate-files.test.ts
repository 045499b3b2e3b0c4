import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { ensurePki } from '../auth/index.ts'
import type { ServerCertificate } from '../http/index.ts'
import { followCertificateFiles, readCertificateFiles } from './certificate-files.ts'
import { completeServeOptions } from './serve-options.ts'

let directory: string
let paths: { certificateFile: string; keyFile: string }

beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'hykube-certificates-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  directory = made
  paths = { certificateFile: join(made, 'tls.crt'), keyFile: join(made, 'tls.key') }
})

let count = 0
const newPair = async () => (await ensurePki(join(directory, `pki-${count++}`))).server

function write({ certificate, key }: ServerCertificate): void {
  writeFileSync(paths.certificateFile, certificate)
  writeFileSync(paths.keyFile, key)
}

test('reads a certificate and its key', async () => {
  const pair = await newPair()
  write(pair)
  expect(await readCertificateFiles(paths)).toEqual(pair)
})

test.each<[string, (pair: ServerCertificate, other: ServerCertificate) => ServerCertificate, string]>([
  ['another key', (pair, { key }) => ({ ...pair, key }), 'is not the key of the certificate'],
  ['no certificate', (pair) => ({ ...pair, certificate: 'x' }), '--tls-cert-file .* has no PEM certificate'],
  ['no key', (pair) => ({ ...pair, key: '' }), '--tls-private-key-file .* has no unencrypted PEM private key'],
])('refuses %s', async (_, broken, message) => {
  write(broken(await newPair(), await newPair()))
  await expect(readCertificateFiles(paths)).rejects.toThrow(new RegExp(message))
})

test('names the file that is not there', async () => {
  await expect(readCertificateFiles(paths)).rejects.toThrow(
    `cannot read --tls-cert-file ${paths.certificateFile}: ENOENT`,
  )
})

test('follows the files from one good pair to the next, and reports what is between once', async () => {
  const first = await newPair()
  const second = await newPair()
  write(first)
  const seen: (ServerCertificate | string)[] = []
  const stop = followCertificateFiles(paths, first, {
    onChange: (pair) => void seen.push(pair),
    onProblem: ({ message }) => void seen.push(message),
    interval: 5,
  })
  onTestFinished(stop)
  writeFileSync(paths.certificateFile, second.certificate)
  await expect.poll(() => seen).toEqual([expect.stringContaining('is not the key')])
  writeFileSync(paths.keyFile, second.key)
  await expect.poll(() => seen.at(-1)).toEqual(second)
  expect(seen).toHaveLength(2)
})

test.each<[string, object, string]>([
  ['a certificate without its key', { tlsCertFile: 'a' }, 'must be given together'],
  ['a key without its certificate', { tlsPrivateKeyFile: 'a' }, 'must be given together'],
  ['no boolean', { anonymousAuth: 'maybe' }, '--anonymous-auth is "maybe", but must be true or false'],
  ['no list', { tlsCipherSuites: {} }, '--tls-cipher-suites must be a list'],
  ['less than an hour', { serviceAccountMaxTokenExpiration: '30m' }, '--service-account-max-token-expiration is "30m"'],
  ['no duration', { serviceAccountMaxTokenExpiration: '2 days' }, '--service-account-max-token-expiration is "2 days"'],
  ['no connections', { maxConnections: 0 }, '--max-connections is 0'],
  ['half a connection', { maxConnectionsPerAddress: 1.5 }, '--max-connections-per-address is 1.5'],
])('the options refuse %s', (_, options, message) => {
  expect(() => completeServeOptions({ version: 'test', ...options })).toThrow(message)
})

test('nobody is anonymous where everything is allowed', () => {
  const options = { version: 'test', anonymousAuth: true }
  expect(completeServeOptions(options).anonymousAuth).toBe(true)
  expect(completeServeOptions({ ...options, authorizationMode: 'AlwaysAllow' }).anonymousAuth).toBe(false)
  expect(completeServeOptions(options).maxTokenSeconds).toBe(48 * 3600)
})
