import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { distrustOf } from './nearby-kubeconfig.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'hykube-nearby-')), 'hykube-data')
  mkdirSync(directory, { mode: 0o700 })
  file = join(directory, 'admin.kubeconfig')
})
afterEach(() => rmSync(join(directory, '..'), { recursive: true }))

const written = (server = 'https://127.0.0.1:6443') => config({ cluster: { server } })
const config = (change: { user?: object; cluster?: object }) =>
  stringify({
    users: [{ name: 'u', user: { 'client-certificate-data': 'QQ==', 'client-key-data': 'QQ==', ...change.user } }],
    clusters: [
      { name: 'c', cluster: { server: 'https://127.0.0.1', 'certificate-authority-data': 'QQ==', ...change.cluster } },
    ],
  })
const write = (text: string, mode = 0o600) => writeFileSync(file, text, { mode })

test('a file of the user with a server on this machine is used', () => {
  for (const server of ['https://127.0.0.1:6443', 'https://[::1]:6443', 'https://localhost:1']) {
    write(written(server))
    expect(distrustOf(file)).toBeUndefined()
  }
})

test.each<[string, () => void, RegExp]>([
  ['one that others may read', () => write(written(), 0o644), /mode 0644/],
  [
    'one in a directory that others may write to',
    () => {
      write(written())
      chmodSync(directory, 0o777)
    },
    /its directory \(mode 0777\)/,
  ],
  [
    'a link',
    () => {
      writeFileSync(`${file}.real`, written(), { mode: 0o600 })
      symlinkSync(`${file}.real`, file)
    },
    /not a regular file/,
  ],
  ['one that runs a program', () => write(config({ user: { exec: { command: 'sh' } } })), /"exec"/],
  ['one with an auth-provider', () => write(config({ user: { 'auth-provider': { name: 'gcp' } } })), /"auth-provider"/],
  ['one that reads a token from a file', () => write(config({ user: { tokenFile: '/etc/passwd' } })), /"tokenFile"/],
  ['one that reads a key from a file', () => write(config({ user: { 'client-key': '/k' } })), /"client-key"/],
  [
    'one that checks no certificate',
    () => write(config({ cluster: { 'insecure-skip-tls-verify': true } })),
    /"insecure-skip-tls-verify"/,
  ],
  ['one with a proxy', () => write(config({ cluster: { 'proxy-url': 'http://x' } })), /"proxy-url"/],
  ['one of another machine', () => write(written('https://192.0.2.7:6443')), /not this machine/],
  ['one of a name', () => write(written('https://127.0.0.1.example.com')), /not this machine/],
  ['one without TLS', () => write(written('http://127.0.0.1')), /not this machine/],
])('%s is not used', (_, prepare, why) => {
  prepare()
  expect(distrustOf(file)).toMatch(why)
})
