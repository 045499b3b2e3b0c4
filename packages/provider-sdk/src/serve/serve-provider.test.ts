import { parseReattachProviders, reattachPlugin } from '@hykube/tfplugin/handshake'
import { createProviderClient } from '@hykube/tfplugin/protocol'
import { valueObject } from '@hykube/tfplugin/value'
import { expect, onTestFinished, test } from 'vitest'
import { attribute, defineProvider, schema } from '../provider/index.ts'
import { jsonLog, logLevelFrom } from './log.ts'
import { serveProvider } from './serve-provider.ts'

function simpleProvider(closed: () => void) {
  return defineProvider({
    name: 'simple',
    version: '1.2.3',
    schema: schema({ attributes: { greeting: attribute.string({ default: 'hello' }) } }),
    configure: ({ config, log }) => {
      log.info('configured', { greeting: config.greeting })
      return config.greeting
    },
    close: closed,
  })
}

test('with --debug prints TF_REATTACH_PROVIDERS, logs, and exits on shutdown', async () => {
  const out = Promise.withResolvers<string>()
  const exit = Promise.withResolvers<number>()
  const err: string[] = []
  let closed = false
  const provider = simpleProvider(() => {
    closed = true
  })
  const served = serveProvider(provider, {
    env: { TF_LOG: 'INFO' },
    args: ['--debug'],
    writeOut: out.resolve,
    writeErr: (line) => err.push(line),
    now: () => 0,
    exit: exit.resolve,
  })
  const text = /^TF_REATTACH_PROVIDERS='(.*)'\n$/.exec(await out.promise)![1]!
  const target = parseReattachProviders(text).get('registry.terraform.io/local/simple')!
  expect(target).toMatchObject({ protocolVersion: 6, pid: process.pid, test: true })
  const grpc = await reattachPlugin(target)
  onTestFinished(() => grpc.destroy(new Error('the test is over')))
  const client = createProviderClient(grpc, 6)
  const config = valueObject({ greeting: null })
  expect((await client.configureProvider({ terraformVersion: '1.12.0', config })).diagnostics).toEqual([])
  const entry = { '@level': 'info', '@message': 'configured', '@module': 'provider.simple', greeting: 'hello' }
  expect(err.map((line) => JSON.parse(line))).toEqual([{ ...entry, '@timestamp': '1970-01-01T00:00:00.000Z' }])
  await grpc.unary('/plugin.GRPCController/Shutdown', new Uint8Array(0))
  await served
  expect(await exit.promise).toBe(0)
  expect(closed).toBe(true)
})

test('prints that it is a plugin when started without a host', async () => {
  const said: string[] = []
  let code: number | undefined
  await serveProvider(
    simpleProvider(() => {}),
    { env: {}, args: [], writeErr: (line) => said.push(line), writeOut: () => {}, exit: (given) => (code = given) },
  )
  expect(code).toBe(1)
  expect(said.join('')).toContain('is a provider plugin')
})

test.each([
  [{}, 'info'],
  [{ TF_LOG: 'trace' }, 'trace'],
  [{ TF_LOG: 'JSON' }, 'trace'],
  [{ TF_LOG: 'trace', TF_LOG_PROVIDER: 'warn' }, 'warn'],
  [{ TF_LOG_PROVIDER: 'warn', TF_LOG_PROVIDER_MY_CLOUD: 'off' }, 'off'],
  [{ TF_LOG: 'nonsense' }, 'info'],
] as const)('%j logs from %s on', (env, level) => {
  expect(logLevelFrom(env, 'my-cloud')).toBe(level)
})

test('does not write entries below the level', () => {
  const lines: string[] = []
  const log = jsonLog({ level: 'warn', module: 'm', write: (line) => lines.push(line), now: () => 0 })
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) log[level](level)
  expect(lines.map((line) => JSON.parse(line)['@level'])).toEqual(['warn', 'error'])
})
