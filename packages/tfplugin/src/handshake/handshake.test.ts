import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectGrpc } from '../grpc/index.ts'
import { createProviderClient } from '../protocol/index.ts'
import { valueObject } from '../value/index.ts'
import { certificateToPem, createOneTimeCertificate, type OneTimeCertificate } from './certificate.ts'
import { handshakeToLine, parseHandshake } from './handshake-line.ts'
import { magicCookie, magicCookieName } from './magic-cookie.ts'
import type { Plugin } from './plugin.ts'
import { type PluginLog, PluginLogReader, parseLogLine } from './plugin-log.ts'
import { parseReattachProviders, reattachPlugin, reattachProvidersToText } from './reattach.ts'
import { chooseProtocol, NotStartedByHostError, servePlugin } from './serve-plugin.ts'
import { type StartPluginOptions, startPlugin } from './start-plugin.ts'

const program = new URL('../../../../test/fixtures/test-plugin/main.ts', import.meta.url).pathname

async function start(mode: string, options: Partial<StartPluginOptions> = {}): Promise<Plugin> {
  const plugin = await startPlugin({ executable: process.execPath, args: [program, mode], env: {}, ...options })
  onTestFinished(async () => void (await plugin.kill()))
  return plugin
}

describe('the handshake line', () => {
  test('is parsed as Go writes it', () => {
    const der = createOneTimeCertificate().certificateDer
    const certificate = der.toString('base64').replace(/=+$/, '')
    expect(parseHandshake(`1|6|unix|/tmp/p.sock|grpc|${certificate}\n`)).toEqual({
      protocolVersion: 6,
      address: { kind: 'unix', path: '/tmp/p.sock' },
      serverCertificate: der,
    })
    expect(parseHandshake('1|5|tcp|127.0.0.1:10000|grpc||false')).toEqual({
      protocolVersion: 5,
      address: { kind: 'tcp', host: '127.0.0.1', port: 10000 },
    })
    expect(parseHandshake('1|5|tcp|[::1]:10000|grpc').address).toEqual({ kind: 'tcp', host: '::1', port: 10000 })
  })

  test('is parsed from its own text', () => {
    const serverCertificate = createOneTimeCertificate().certificateDer
    const handshake = { protocolVersion: 6, address: { kind: 'unix', path: '/a' }, serverCertificate } as const
    expect(parseHandshake(handshakeToLine(handshake))).toEqual(handshake)
  })

  test.each([
    ['2|6|unix|/x|grpc|', 'its handshake has version 2'],
    ['1|4|unix|/x|grpc|', 'provider protocol "4"'],
    ['1|5|unix|/x', 'net/rpc instead of gRPC'],
    ['1|5|unix|/x|netrpc', 'netrpc instead of gRPC'],
    ['1|5|carrier|/x|grpc', 'is not supported'],
    ['1|5|tcp|nowhere|grpc', 'is not supported'],
    ['hello', 'instead of a handshake'],
    ['', 'instead of a handshake'],
    ['a|b|c|d|grpc', 'instead of a handshake'],
  ])('%j is rejected', (line, words) => {
    expect(() => parseHandshake(line)).toThrow(words)
  })
})

test('creates the certificate that both sides expect', () => {
  const made = createOneTimeCertificate()
  const certificate = new X509Certificate(made.certificatePem)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkIssued(certificate)).toBe(true)
  expect(certificate.ca).toBe(true)
  expect(certificate.checkHost('localhost')).toBe('localhost')
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'])
  expect(createOneTimeCertificate().certificatePem).not.toBe(made.certificatePem)
})

describe('the log of a plugin', () => {
  test.each<[string, PluginLog]>([
    [
      '{"@level":"warn","@message":"m","@module":"sdk","@timestamp":"t","k":1}',
      { level: 'warn', message: 'm', module: 'sdk', timestamp: 't', fields: { k: 1 } },
    ],
    ['{"@level":"loud","@message":"m"}', { level: 'debug', message: 'm' }],
    ['{"not":"ours"}', { level: 'debug', message: '{"not":"ours"}' }],
    ['{broken', { level: 'debug', message: '{broken' }],
    ['[WARN] careful', { level: 'warn', message: 'careful' }],
    ['2026/01/02 03:04:05 [ERROR] oh', { level: 'error', message: 'oh' }],
    ['2026-01-02T03:04:05.678Z [INFO]  hi', { level: 'info', message: 'hi' }],
    ['plain', { level: 'debug', message: 'plain' }],
  ])('%s', (line, log) => {
    expect(parseLogLine(line)).toEqual(log)
  })

  test('is the same for any chunking', () => {
    const text = '[WARN] ä\n{"@level":"info","@message":"b"}\r\n\nlast'
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 20 }), (cuts) => {
        const logs: PluginLog[] = []
        const reader = new PluginLogReader((log) => logs.push(log))
        let rest = new TextEncoder().encode(text)
        for (const cut of cuts) {
          reader.push(rest.slice(0, cut))
          rest = rest.slice(cut)
        }
        reader.push(rest)
        reader.end()
        expect(logs.map(({ message }) => message)).toEqual(['ä', 'b', 'last'])
      }),
    )
  })

  test('keeps the output of a crash', () => {
    const logs: PluginLog[] = []
    const reader = new PluginLogReader((log) => logs.push(log))
    reader.push(Buffer.from('[INFO] fine\npanic: boom\n\ngoroutine 1\n'))
    expect(reader.panic).toBe('panic: boom\ngoroutine 1')
    expect(logs.map(({ level }) => level)).toEqual(['info', 'error', 'error'])
  })

  test('passes a line without end on in pieces', () => {
    const logs: PluginLog[] = []
    new PluginLogReader((log) => logs.push(log)).push(Buffer.alloc(100_000, 'x'))
    expect(logs).toHaveLength(1)
  })
})

describe('starting a plugin', () => {
  test.each([
    ['serve', {}, 6],
    ['serve5', {}, 5],
    ['serve', { tls: 'none' }, 6],
    ['tcp', {}, 6],
  ] as const)('%s %j: it is met, called and ended', async (mode, options, version) => {
    const logs: PluginLog[] = []
    const plugin = await start(mode, { ...options, onLog: (log) => logs.push(log) })
    expect(plugin.protocolVersion).toBe(version)
    expect(await plugin.isHealthy()).toBe(true)
    const provider = createProviderClient(plugin.grpc, plugin.protocolVersion)
    const configured = await provider.configureProvider({
      terraformVersion: '1.12.0',
      config: valueObject({ name: 'x' }),
    })
    expect(configured.diagnostics).toEqual([{ severity: 'warning', summary: '{"name":"x"}' }])
    expect(await plugin.stop()).toEqual({ code: 0, signal: null })
    expect(logs).toContainEqual({ level: 'warn', message: 'configured', module: 'test', fields: { seen: 1 } })
    expect(await plugin.isHealthy()).toBe(false)
  })

  test('passes nothing of the host’s environment', async () => {
    const plugin = await start('serve', { env: { AWS_REGION: 'x' } })
    const { error } = await createProviderClient(plugin.grpc, plugin.protocolVersion).stopProvider()
    const names = (JSON.parse(error) as string[]).filter((name) => !/^(PLUGIN_|__)/.test(name))
    expect(names).toEqual(['AWS_REGION', 'TF_PLUGIN_MAGIC_COOKIE', 'TMPDIR'])
  })

  test.each([
    ['garbage', 'it wrote "Usage: thing [options]" on stdout instead of a handshake; is it a provider?'],
    ['flood', 'bytes on stdout instead of a handshake'],
    ['exit', 'it ended with exit code 3 before it was ready; it said: no licence found'],
    ['old', 'it uses provider protocol "4", but only 5 and 6 are supported'],
    ['silent', 'it was not ready within 1500 ms'],
    ['dead-socket', 'it sent no certificate'],
  ])('%s: rejects with the cause and leaves no process', async (mode, words) => {
    const timeout = mode === 'silent' ? 1500 : 20_000
    await expect(start(mode, { timeout })).rejects.toThrow(words)
  })

  test('reports a missing socket', async () => {
    await expect(start('dead-socket', { tls: 'none' })).rejects.toThrow('/nowhere/at/all')
  })

  test('reports a missing program', async () => {
    const starting = startPlugin({ executable: '/nowhere/terraform-provider-x', env: {} })
    await expect(starting).rejects.toThrow(/cannot start the plugin \/nowhere\/terraform-provider-x: .*ENOENT/)
  })

  test('stops when the signal aborts', async () => {
    const controller = new AbortController()
    const starting = start('silent', { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('shutting down')), 100)
    await expect(starting).rejects.toThrow('shutting down')
  })

  test('kills a plugin that does not exit', async () => {
    const plugin = await start('stubborn')
    expect(await plugin.stop({ grace: 200 })).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test('fails the call of a plugin that crashes, and keeps its output', async () => {
    const plugin = await start('panic')
    const provider = createProviderClient(plugin.grpc, plugin.protocolVersion)
    const call = provider.readResource({ typeName: 'test_thing', currentState: null })
    await expect(call).rejects.toMatchObject({ status: 'UNAVAILABLE', neverProcessed: false })
    const exit = await plugin.exited
    expect(exit).toMatchObject({ code: 2, panic: expect.stringContaining('panic: runtime error: nil map') })
  })
})

describe('serving a plugin', () => {
  const protocols = new Map([[6, new Map()]] as const)

  test('tells a user who starts it what it is', async () => {
    await expect(servePlugin({ protocols, env: {}, write: () => {} })).rejects.toThrow(NotStartedByHostError)
  })

  test.each([
    ['5,6', [5, 6], 6],
    ['6,5', [5], 5],
    ['4', [5, 6], 5],
    [undefined, [6], 6],
  ] as const)('chooses the protocol for %s with %j: %i', (asked, served, chosen) => {
    expect(chooseProtocol(asked, served)).toBe(chosen)
  })

  test('accepts only the host with the given certificate', async () => {
    const host = createOneTimeCertificate()
    const lines: string[] = []
    const served = await servePlugin({
      protocols,
      env: { [magicCookieName]: magicCookie, PLUGIN_PROTOCOL_VERSIONS: '6', PLUGIN_CLIENT_CERT: host.certificatePem },
      write: (line) => lines.push(line),
    })
    onTestFinished(() => served.close())
    const { address, serverCertificate } = parseHandshake(lines.join(''))
    const tlsOf = ({ certificatePem, keyPem }: OneTimeCertificate, server = certificateToPem(serverCertificate!)) => ({
      tls: { serverCertificate: server, certificate: certificatePem, key: keyPem },
    })
    const client = await connectGrpc(address, tlsOf(host))
    client.destroy()
    await expect(connectGrpc(address)).rejects.toThrow('cannot connect')
    await expect(connectGrpc(address, tlsOf(createOneTimeCertificate()))).rejects.toThrow('cannot connect')
    const stranger = createOneTimeCertificate().certificatePem
    await expect(connectGrpc(address, tlsOf(host, stranger))).rejects.toThrow('cannot connect')
  })

  test('can be reattached by a debugger, and removes its socket', async () => {
    const served = await servePlugin({ protocols, env: {}, write: () => expect.unreachable(), debug: true })
    const { address, protocolVersion } = served
    const text = reattachProvidersToText(
      new Map([['a/b/c', { address, protocolVersion, pid: process.pid, test: true }]]),
    )
    const target = parseReattachProviders(text).get('a/b/c')!
    expect(target).toEqual({ address, protocolVersion: 6, pid: process.pid, test: true })
    const grpc = await reattachPlugin(target)
    await expect(grpc.unary('/x/y', new Uint8Array(0))).rejects.toMatchObject({ status: 'UNIMPLEMENTED' })
    grpc.destroy()
    await served.close()
    expect(address.kind === 'unix' && existsSync(dirname(address.path))).toBe(false)
  })
})

describe('TF_REATTACH_PROVIDERS', () => {
  test('without a version means 5', () => {
    const text = '{"h/n/t":{"Protocol":"grpc","Pid":7,"Addr":{"Network":"tcp","String":"127.0.0.1:99"}}}'
    expect(parseReattachProviders(text).get('h/n/t')).toEqual({
      protocolVersion: 5,
      address: { kind: 'tcp', host: '127.0.0.1', port: 99 },
      pid: 7,
      test: false,
    })
  })

  test.each([
    ['nonsense', 'it is not JSON'],
    ['[]', 'it is not an object'],
    ['{"a":null}', 'for a: its Protocol must be grpc'],
    ['{"a":{"Protocol":"grpc","ProtocolVersion":7}}', 'for a: its ProtocolVersion'],
    ['{"a":{"Protocol":"grpc"}}', 'for a: it has no Addr'],
  ])('%s is rejected', (text, words) => {
    expect(() => parseReattachProviders(text)).toThrow(words)
  })
})
