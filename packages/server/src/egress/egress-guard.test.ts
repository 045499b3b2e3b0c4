import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPublicAddress } from './address-class.ts'
import { EgressGuard } from './egress-guard.ts'

describe('addresses', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each([
    ...[
      '0.0.0.0',
      '127.0.0.1',
      '127.9.9.9',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
    ],
    ...['100.64.0.1', '192.0.0.192', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '203.0.113.9'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '2001:db8::1',
      '2001::1',
      'fec0::1',
    ],
    ...[
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::ffff:169.254.169.254',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::1',
    ],
    ...['2002:7f00:1::', '2002:a00:1::', '::127.0.0.1', '::ffff:0:127.0.0.1', 'localhost', ''],
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('URLs', () => {
  const guard = new EgressGuard()

  test.each([
    ...[
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://0177.0.0.1/',
      'https://127.1/',
      'https://0/',
    ],
    ...[
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a9fe:a9fe]/',
      'https://169.254.169.254/latest',
    ],
    ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'https://127.0.0.1.:8443/'],
  ])('%s is rejected', (url) => expect(() => guard.checkUrl(new URL(url))).toThrow(/not HTTPS|not a public address/))

  test.each(['https://example.com/', 'https://1.1.1.1/'])('%s is accepted', (url) => guard.checkUrl(new URL(url)))

  test('allows the operator’s hosts, by plain HTTP too, and nothing else', () => {
    const open = new EgressGuard(['10.1.0.0/16', 'Registry.internal', '::1'])
    for (const url of [
      'http://10.1.2.3/',
      'https://10.1.2.3/',
      'http://registry.INTERNAL:8080/',
      'https://[::1]/',
      'https://[::ffff:10.1.0.9]/',
    ])
      open.checkUrl(new URL(url))
    for (const url of ['https://10.2.0.1/', 'http://internal/', 'https://127.0.0.1/', 'http://example.com/'])
      expect(() => open.checkUrl(new URL(url))).toThrow('--egress-allow')
  })

  test.each(['10.0.0.0/33', '1.2.3', 'a_b', '', '*', 'http://x'])('--egress-allow %s is rejected', (text) =>
    expect(() => new EgressGuard([text])).toThrow('--egress-allow'),
  )
})

describe('names', () => {
  const resolve = (guard: EgressGuard, host: string) =>
    new Promise((done) => guard.lookup(host, {}, (error, address) => done(error ?? address)))

  test('rejects a name of this machine by its address', async () => {
    expect(String(await resolve(new EgressGuard(), 'localhost'))).toMatch(/localhost \(.+\) is not a public address/)
  })

  test('resolves an allowed name and an allowed address', async () => {
    expect(await resolve(new EgressGuard(['localhost']), 'localhost')).toMatch(/127|::1/)
    expect(await resolve(new EgressGuard(['127.0.0.0/8', '::1/128']), 'localhost')).toMatch(/127|::1/)
  })

  test('does not connect to a rejected address', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked++
      response.end()
    }).listen(0)
    onTestFinished(() => void server.close())
    const { get } = await import('node:http')
    const { port } = server.address() as AddressInfo
    const error = await new Promise<Error>((done) =>
      get({ host: 'localhost', port, lookup: new EgressGuard().lookup as never }).on('error', done),
    )
    expect(error.message).toContain('not a public address')
    expect(asked).toBe(0)
  })
})
