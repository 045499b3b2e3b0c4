import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@hykube/machinery/base'
import { servePlugin } from '@hykube/tfplugin/handshake'
import { providerHandlers } from '@hykube/tfplugin/protocol'
import { valueObject } from '@hykube/tfplugin/value'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { fileHash } from '../install/verify/package-hash.ts'
import { type OddMode, oddProvider } from '../testing/index.ts'
import type { ProcessSettings } from './process-settings.ts'
import { ProviderFailure } from './provider-failure.ts'
import { ProviderProcesses } from './provider-processes.ts'
import type { ProviderConfiguration, ProviderLog, ProviderSession, ProviderTarget } from './provider-target.ts'
import { endProcess, identityOf, isAlive } from './system/process-identity.ts'

const secret = 'hunter2-and-more'
const prefix = `process-test-${process.pid}-`
let directory: string
// Shared by all tests, because the schema of the program is the same.
const schemaDirectory = mkdtempSync(join(tmpdir(), prefix))
afterAll(() => rmSync(schemaDirectory, { recursive: true, force: true }))

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), prefix))
  return () => rmSync(directory, { recursive: true, force: true })
})

function processesWith(settings: Partial<ProcessSettings> = {}): ProviderProcesses {
  const processes = new ProviderProcesses({
    schemaDirectory,
    environment: { PATH: process.env.PATH, AWS_SECRET_ACCESS_KEY: 'the-servers-own', HTTPS_PROXY: 'http://proxy' },
    ...settings,
  })
  onTestFinished(() => processes.close())
  return processes
}

function target(
  mode: OddMode = 'serve',
  configuration: Partial<ProviderConfiguration> = {},
): ProviderTarget & { package: { starts: string }; starts: () => number } {
  const made = oddProvider(directory, mode)
  return {
    package: made,
    owner: 'root/odd',
    configuration: {
      key: 'default',
      config: valueObject({ region: 'here', password: secret }),
      workDirectory: join(directory, 'work'),
      ...configuration,
    },
    starts: () => readFileSync(made.starts, 'utf8').split('\n').length - 1,
  }
}

// A separate server process that uses a provider, and can be killed.
function startServerOf(
  { package: of, owner, configuration: { key, workDirectory } }: ProviderTarget,
  pidFiles: string,
): ChildProcess {
  const settings = { schemaDirectory, pidDirectory: pidFiles, environment: { PATH: process.env.PATH } }
  const program = `
    const { ProviderProcesses } = await import(${JSON.stringify(new URL('./provider-processes.ts', import.meta.url).href)})
    const target = ${JSON.stringify({ package: of, owner, configuration: { key, workDirectory } })}
    await new ProviderProcesses(${JSON.stringify(settings)}).use(target, async () => {})`
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' })
  onTestFinished(() => void server.kill('SIGKILL'))
  return server
}

async function read(
  { client }: ProviderSession,
  name: string,
  options?: { timeout?: number; signal?: AbortSignal },
): Promise<string> {
  const request = { typeName: 'odd_thing', currentState: valueObject({ name }) }
  const { newState } = await client.readResource(request, options)
  return (newState as { name: string }).name
}

async function failureOf(promise: Promise<unknown>): Promise<ProviderFailure> {
  const error = await promise.then(
    () => expect.unreachable('it succeeded'),
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(ProviderFailure)
  expect((error as Error).message).not.toContain(secret)
  return error as ProviderFailure
}

describe('a provider', () => {
  test('is started once, configured, shared, and finally stopped', async () => {
    const processes = processesWith({ schemaDirectory: join(directory, 'schemas') })
    const odd = target()
    const facts = await Promise.all(
      Array.from({ length: 4 }, () => processes.use(odd, async (session) => JSON.parse(await read(session, 'facts')))),
    )
    expect(new Set(facts.map(({ pid }) => pid)).size).toBe(1)
    expect(facts[0]).toMatchObject({ configured: secret, schemaAsked: false })
    // One for the schema, one for the calls.
    expect(odd.starts()).toBe(2)
    const [running] = await processes.list()
    expect(running).toMatchObject({ pid: facts[0].pid, users: 0, configuration: 'default', version: '1.0.0' })
    expect(running!.memory).toBeGreaterThan(1_000_000)
    expect(await identityOf(running!.pid)).toEqual({ pid: running!.pid, startTime: running!.startTime })
    await processes.close()
    expect(await isAlive(running!)).toBe(false)
    expect(await failureOf(processes.use(odd, async () => {}))).toMatchObject({
      reason: 'ProviderUnavailable',
      sent: false,
    })
  })

  test('gets a schema request if it requires one', async () => {
    const facts = await processesWith().use(target('insists'), (session) => read(session, 'facts'))
    expect(JSON.parse(facts)).toMatchObject({ schemaAsked: true })
  })

  test('has a process for each configuration, and is not configured without one', async () => {
    const processes = processesWith()
    const pids = await Promise.all(
      ['a', 'b'].map((key) => processes.use(target('serve', { key }), async ({ process }) => process.pid)),
    )
    expect(new Set(pids).size).toBe(2)
    const bare = target('serve', { key: 'bare', config: undefined })
    expect(JSON.parse(await processes.use(bare, (session) => read(session, 'facts')))).not.toHaveProperty('configured')
  })

  test('has a process for each owner; a crash affects one owner only', async () => {
    const processes = processesWith()
    const [a, b] = ['root/a', 'root/b'].map((owner) => ({ ...target(), owner }))
    const of = (odd: ProviderTarget) => processes.use(odd, async (session) => session.process)
    const [first, second] = [await of(a!), await of(b!)]
    expect(second.pid).not.toBe(first.pid)
    await processes.retire(({ owner }) => owner === 'root/a')
    expect([await isAlive(first), await isAlive(second)]).toEqual([false, true])
  })

  test('has a clean environment and its own directory', async () => {
    const environment = { AWS_REGION: 'eu', AWS_SECRET_ACCESS_KEY: 'given-for-it' }
    const odd = target('serve', { environment })
    const text = await processesWith({ logLevel: 'warn' }).use(odd, (session) => read(session, 'environment'))
    const seen = JSON.parse(text) as Record<string, string>
    const names = Object.keys(seen).filter((name) => !/^(PLUGIN_|_|PWD$|SHLVL$|OLDPWD$)/.test(name))
    expect(names.sort()).toEqual([
      ...['AWS_REGION', 'AWS_SECRET_ACCESS_KEY', 'HOME', 'HTTPS_PROXY', 'HYKUBE_LAUNCH', 'PATH', 'TF_LOG_PROVIDER'],
      ...['TF_PLUGIN_MAGIC_COOKIE', 'TMPDIR'],
    ])
    const { workDirectory } = odd.configuration
    expect(seen).toMatchObject({ AWS_SECRET_ACCESS_KEY: 'given-for-it', HOME: workDirectory, TF_LOG_PROVIDER: 'WARN' })
    expect(statSync(workDirectory).mode & 0o777).toBe(0o700)
    expect(await processesWith().use(odd, (session) => read(session, 'directory'))).toBe(workDirectory)
  })

  test('has secrets scrubbed from logs, warnings and crash output', async () => {
    const logs: ProviderLog[] = []
    const processes = processesWith({ onLog: (log) => logs.push(log) })
    await processes.use(target(), async (session) => {
      expect(session.warnings).toEqual([{ severity: 'warning', summary: 'hello (sensitive value)' }])
      expect(await read(session, 'chatter')).toBe('done')
      const failure = await failureOf(read(session, 'panic'))
      expect(failure).toMatchObject({ reason: 'ProviderCrashed', sent: true })
      expect(failure.panic).toBe('panic: nil map with (sensitive value)\ngoroutine 1 [running]:')
      expect(failure.message).toContain(
        'report it to its developers; its output:\npanic: nil map with (sensitive value)',
      )
    })
    expect(JSON.stringify(logs)).not.toContain(secret)
    expect(logs).toContainEqual({
      ...{ source: 'example.com/test/odd', configuration: 'default' },
      ...{ level: 'warn', message: 'the password is (sensitive value)' },
    })
  })
})

describe('a misbehaving provider affects only its own calls', () => {
  test('restarts a provider that exits during a call', async () => {
    const processes = processesWith()
    const odd = target()
    const failure = await failureOf(processes.use(odd, (session) => read(session, 'crash')))
    expect(failure).toMatchObject({ reason: 'ProviderCrashed', sent: true, status: 'UNAVAILABLE' })
    expect(failure.message).toContain(
      'cannot call readResource of the provider example.com/test/odd 1.0.0: its process ended with exit code 7',
    )
    expect(await processes.use(odd, (session) => read(session, 'again'))).toBe('again')
  })

  test('reports a call as not sent if the provider exited before it', async () => {
    const processes = processesWith({ restartDelay: 0 })
    const odd = target()
    await processes.use(odd, async (session) => {
      process.kill(session.process.pid, 'SIGKILL')
      await expect.poll(() => isAlive(session.process)).toBe(false)
      // The socket may close a moment after the exit; from then on nothing is sent.
      const failures = await Promise.all(Array.from({ length: 3 }, () => failureOf(read(session, 'x'))))
      expect(failures.map(({ reason }) => reason)).toEqual(Array(3).fill('ProviderCrashed'))
      expect(await failureOf(read(session, 'x'))).toMatchObject({ reason: 'ProviderCrashed', sent: false })
    })
    const first = await processes.use(odd, async (session) => session.process)
    process.kill(first.pid, 'SIGKILL')
    await expect.poll(() => processes.list()).toEqual([])
    expect(await processes.use(odd, (session) => read(session, 'again'))).toBe('again')
  })

  test('delays restarts of a provider that keeps crashing', async () => {
    let now = 0
    const clock = { ...systemClock, monotonic: () => now }
    const processes = processesWith({ clock, restartDelay: 1000, stableAfter: 60_000 })
    const odd = target()
    const crash = () => failureOf(processes.use(odd, (session) => read(session, 'crash')))
    for (let i = 0; i < 2; i++) expect(await crash()).toMatchObject({ reason: 'ProviderCrashed' })
    const started = odd.starts()
    const refused = await crash()
    expect(refused).toMatchObject({ reason: 'ProviderUnavailable', sent: false, retryAfter: 1000 })
    expect(refused.message).toMatch(/failed 2 times in a row and is not restarted for 1\.0 s; .*exit code 7/)
    expect(odd.starts()).toBe(started)
    now += 1000
    expect(await crash()).toMatchObject({ reason: 'ProviderCrashed' })
    expect(await crash()).toMatchObject({ reason: 'ProviderUnavailable', retryAfter: 2000 })
    now += 2000
    // A stable process has its failures reset, so its next crash causes no delay.
    await processes.use(odd, async (session) => {
      now += 60_000
      await failureOf(read(session, 'crash'))
    })
    expect(await crash()).toMatchObject({ reason: 'ProviderCrashed' })
  })

  test('fails only the call that hangs', async () => {
    await processesWith().use(target(), async (session) => {
      const failure = await failureOf(read(session, 'hang', { timeout: 200 }))
      expect(failure).toMatchObject({ reason: 'ProviderTimeout', sent: true })
      expect(await read(session, 'fine')).toBe('fine')
    })
  })

  test('kills a provider that fails its health check', async () => {
    const processes = processesWith({ deadlines: { read: 1500 } })
    await processes.use(target(), async (session) => {
      const [first, second] = await Promise.all([failureOf(read(session, 'block')), failureOf(read(session, 'other'))])
      for (const failure of [first, second]) expect(failure).toMatchObject({ reason: 'ProviderTimeout', sent: true })
      expect(first.message).toContain('it was killed')
      await expect.poll(() => isAlive(session.process)).toBe(false)
    })
    expect(await processes.use(target(), (session) => read(session, 'again'))).toBe('again')
  })

  test.runIf(process.platform === 'linux')('kills a provider that exceeds the memory limit', async () => {
    const processes = processesWith({ memoryLimit: 300 * 2 ** 20, memoryInterval: 20 })
    const failure = await failureOf(processes.use(target(), (session) => read(session, 'memory')))
    expect(failure).toMatchObject({ reason: 'ProviderOutOfMemory', sent: true })
    expect(failure.message).toMatch(/used \d+ MiB of memory, and 300 MiB are allowed/)
    expect(await processes.use(target(), (session) => read(session, 'again'))).toBe('again')
  })

  // A wrapper that starts a child in another session and then execs the provider.
  function withChild(child: string): ReturnType<typeof target> & { note: string; child: () => number } {
    const odd = target()
    const note = join(directory, 'child.pid')
    const executable = join(directory, 'terraform-provider-wrapped')
    const body = `#!/bin/sh\nsetsid sh -c 'echo $$ >${note}.tmp; mv ${note}.tmp ${note}; ${child}' &\nexec "${odd.package.executable}"\n`
    writeFileSync(executable, body, { mode: 0o755 })
    return {
      ...odd,
      package: { ...odd.package, executable, hash: `h1:wrapped ${child}` },
      note,
      child: () => (existsSync(note) ? Number(readFileSync(note, 'utf8')) : 0),
    }
  }

  test.runIf(process.platform === 'linux')('kills children in other sessions when the provider exits', async () => {
    const processes = processesWith()
    const odd = withChild('exec sleep 600')
    await processes.schemaOf(odd.package)
    rmSync(odd.note, { force: true })
    const child = await processes.use(odd, async () => {
      await expect.poll(odd.child).toBeGreaterThan(0)
      return (await identityOf(odd.child()))!
    })
    expect(await isAlive(child)).toBe(true)
    await processes.close()
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  test.runIf(process.platform === 'linux')('kills a provider whose child exceeds the memory limit', async () => {
    const processes = processesWith({ memoryLimit: 300 * 2 ** 20, memoryInterval: 20 })
    const flood = `exec ${process.execPath} -e "globalThis.kept = Buffer.alloc(400 << 20, 1); setInterval(() => {}, 1000)"`
    const failure = await failureOf(
      processes.use(withChild(flood), async (session) => {
        for (;;) await read(session, 'again')
      }),
    )
    expect(failure.reason).toBe('ProviderOutOfMemory')
  })

  test('does not start a provider whose files were changed', async () => {
    const processes = processesWith()
    const odd = target()
    const { executable } = odd.package
    const installed = { ...odd.package, directory, content: 'executable' as const, hash: await fileHash(executable) }
    expect(await processes.use({ ...odd, package: installed }, (session) => read(session, 'fine'))).toBe('fine')
    await processes.retire(() => true)
    writeFileSync(executable, `${readFileSync(executable, 'utf8')}# harmless?\n`)
    const failure = await failureOf(processes.use({ ...odd, package: installed }, (session) => read(session, 'x')))
    expect(failure).toMatchObject({ reason: 'PackageChanged', sent: false })
  })

  test('reports a malformed response, and keeps the process', async () => {
    await processesWith().use(target(), async (session) => {
      const state = valueObject({ name: 'x' })
      const request = { typeName: 'odd_thing', priorState: state, proposedNewState: state, config: state }
      const failure = await failureOf(session.client.planResourceChange(request))
      expect(failure).toMatchObject({ reason: 'ProviderMisbehaved', sent: true })
      const unknown = session.client.readDataSource({ typeName: 'odd_none', config: state })
      expect(await failureOf(unknown)).toMatchObject({ reason: 'RequestInvalid', sent: false })
      const upgraded = { typeName: 'odd_thing', version: 0, rawState: { kind: 'json', json: '{}' } } as const
      const missing = await failureOf(session.client.upgradeResourceState(upgraded))
      expect(missing).toMatchObject({ reason: 'ProviderUnimplemented', status: 'UNIMPLEMENTED' })
      expect(await read(session, 'fine')).toBe('fine')
    })
  })

  test.each<[OddMode, string, RegExp]>([
    ['garbage', 'HandshakeFailed', /wrote "Usage: thing \[options\]" on stdout instead of a handshake/],
    ['exit', 'HandshakeFailed', /ended with exit code 3 before it was ready/],
    ['silent', 'HandshakeFailed', /not ready within 1500 ms/],
    ['dies', 'ProviderCrashed', /exit code 9/],
    ['refuses', 'ConfigurationRefused', /Wrong password: It is not \(sensitive value\)\./],
    ['bad-schema', 'ProviderMisbehaved', /No schema today/],
  ])('%s: %s, before anything was sent, and not in a hot loop', async (mode, reason, words) => {
    const processes = processesWith({ startTimeout: mode === 'silent' ? 1500 : 20_000 })
    const odd = target(mode)
    const use = () => failureOf(processes.use(odd, async () => expect.unreachable('it was used')))
    const first = await use()
    expect(first).toMatchObject({ reason, sent: false })
    expect(first.message).toMatch(words)
    await use()
    const third = await use()
    expect(third).toMatchObject({ reason: 'ProviderUnavailable', sent: false })
    expect(third.message).toMatch(words)
    if (mode === 'refuses') expect(first.diagnostics).toMatchObject([{ summary: 'Wrong password' }])
    expect(await processes.list()).toEqual([])
  })

  test('reports a missing executable', async () => {
    const odd = target()
    const gone = { ...odd, package: { ...odd.package, executable: '/nowhere/terraform-provider-x' } }
    const failure = await failureOf(processesWith().use(gone, async () => {}))
    expect(failure).toMatchObject({ reason: 'HandshakeFailed', sent: false })
    expect(failure.message).toContain('ENOENT')
  })
})

describe('aborting and closing', () => {
  test('a canceled call reports whether it was sent', async () => {
    await processesWith().use(target(), async (session) => {
      const controller = new AbortController()
      const call = read(session, 'hang', { signal: controller.signal })
      setImmediate(() => controller.abort(new Error('no time')))
      expect(await failureOf(call)).toMatchObject({ reason: 'CallCanceled', sent: true })
      expect(await failureOf(read(session, 'x', { signal: controller.signal }))).toMatchObject({ sent: false })
    })
  })

  test('an aborted caller does not abort a start that others wait for', async () => {
    const processes = processesWith()
    const odd = target()
    const controller = new AbortController()
    const left = processes.use(odd, async () => expect.unreachable('it was used'), { signal: controller.signal })
    const stayed = processes.use(odd, (session) => read(session, 'fine'))
    controller.abort(new Error('no time'))
    expect(await failureOf(left)).toMatchObject({ reason: 'CallCanceled', sent: false })
    expect(await stayed).toBe('fine')
  })

  test('close cancels calls, waits, and kills processes that do not exit, with their children', async () => {
    const processes = processesWith({ stopGrace: 200 })
    const busy = Promise.withResolvers<{ child: number; call: Promise<ProviderFailure> }>()
    const work = processes.use(target('stubborn'), async (session) => {
      const child = Number(await read(session, 'child'))
      const call = failureOf(read(session, 'hang'))
      busy.resolve({ child, call })
      return call
    })
    const { child } = await busy.promise
    const [running] = await processes.list()
    const grandchild = (await identityOf(child))!
    await processes.close()
    expect(await work).toMatchObject({ reason: 'ProviderUnavailable', sent: true })
    expect(await isAlive(running!)).toBe(false)
    await expect.poll(() => isAlive(grandchild)).toBe(false)
  })

  test('stops a process whose callers all aborted', async () => {
    const processes = processesWith({ idleTimeout: 10 })
    const odd = target()
    const controller = new AbortController()
    const left = processes.use(odd, async () => expect.unreachable('it was used'), { signal: controller.signal })
    controller.abort()
    expect(await failureOf(left)).toMatchObject({ reason: 'CallCanceled', sent: false })
    await expect.poll(() => odd.starts(), { timeout: 30_000 }).toBeGreaterThan(0)
    const pid = Number(readFileSync(join(directory, 'serve.starts'), 'utf8').split('\n')[0])
    await expect.poll(() => identityOf(pid), { timeout: 30_000 }).toBeUndefined()
  })

  test('close does not wait for a slow configuration', async () => {
    const processes = processesWith()
    const odd = target('lingers')
    const use = failureOf(processes.use(odd, async () => expect.unreachable('it was used')))
    await expect.poll(() => odd.starts(), { timeout: 30_000 }).toBe(2)
    await processes.close()
    expect(await use).toMatchObject({ reason: 'ProviderUnavailable', sent: false })
  })

  test('close waits for running work up to the drain time', async () => {
    const processes = processesWith()
    const ready = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const work = processes.use(target(), async (session) => {
      ready.resolve()
      await go.promise
      return read(session, 'fine')
    })
    await ready.promise
    const closing = processes.close({ drain: 20_000 })
    go.resolve()
    expect(await work).toBe('fine')
    await closing
  })
})

describe('the number of processes', () => {
  test('is limited: the process that was idle for the longest time is stopped', async () => {
    const processes = processesWith({ maxProcesses: 2 })
    const of = (key: string) => target('serve', { key })
    await processes.schemaOf(of('a').package)
    for (const key of ['a', 'b', 'c']) await processes.use(of(key), (session) => read(session, 'x'))
    expect((await processes.list()).map(({ configuration }) => configuration).sort()).toEqual(['b', 'c'])
  })

  test('makes callers wait while all processes are busy', async () => {
    const processes = processesWith({ maxProcesses: 1 })
    const release = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const first = processes.use(target('serve', { key: 'a' }), async () => {
      begun.resolve()
      await release.promise
    })
    await begun.promise
    const order: string[] = []
    const second = processes.use(target('serve', { key: 'b' }), async () => void order.push('second'))
    const impatient = new AbortController()
    const third = processes.use(target('serve', { key: 'c' }), async () => {}, { signal: impatient.signal })
    impatient.abort()
    expect(await failureOf(third)).toMatchObject({ reason: 'CallCanceled', sent: false })
    order.push('released')
    release.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['released', 'second'])
  })

  test('falls when processes are idle', async () => {
    const processes = processesWith({ idleTimeout: 50 })
    const { process: identity } = await processes.use(target(), async (session) => session)
    await expect.poll(() => isAlive(identity)).toBe(false)
    expect(await processes.use(target(), (session) => read(session, 'again'))).toBe('again')
  })

  test('falls when a configuration is removed', async () => {
    const processes = processesWith()
    const { process: identity } = await processes.use(target(), async (session) => session)
    await processes.retire(({ configuration }) => configuration.key === 'default')
    expect(await isAlive(identity)).toBe(false)
    expect(await processes.list()).toEqual([])
  })

  test('replaces an idle process that fails its health check', async () => {
    const processes = processesWith({ healthAfter: 0 })
    const { process: identity } = await processes.use(target(), async (session) => session)
    process.kill(identity.pid, 'SIGSTOP')
    const other = await processes.use(target(), async (session) => session.process)
    expect(other.pid).not.toBe(identity.pid)
    expect(await isAlive(identity)).toBe(false)
  })
})

describe('the schema of a package', () => {
  const own = () => ({ schemaDirectory: join(directory, 'schemas') })

  test('is requested once, then read from a file, and requested again if the file is damaged', async () => {
    const odd = target()
    const first = await processesWith(own()).schemaOf(odd.package)
    expect([...first.schema.resources.keys()]).toEqual(['odd_thing'])
    expect(odd.starts()).toBe(1)
    const again = await processesWith(own()).schemaOf(odd.package)
    expect(again.protocolVersion).toBe(6)
    expect(again.schema.resources.get('odd_thing')).toEqual(first.schema.resources.get('odd_thing'))
    expect(odd.starts()).toBe(1)
    const [file] = readdirSync(join(directory, 'schemas'))
    truncateSync(join(directory, 'schemas', file!), 100)
    await processesWith(own()).schemaOf(odd.package)
    expect(odd.starts()).toBe(2)
    await processesWith(own()).fetchSchema(odd.package)
    expect(odd.starts()).toBe(3)
  })

  test('is requested without configuration and environment, and leaves no process', async () => {
    const logs: ProviderLog[] = []
    const odd = target()
    const processes = processesWith({ ...own(), onLog: (log) => logs.push(log) })
    await processes.schemaOf(odd.package)
    expect(existsSync(odd.configuration.workDirectory)).toBe(false)
    const pid = Number(readFileSync(join(directory, 'serve.starts'), 'utf8').trim())
    expect(await identityOf(pid)).toBeUndefined()
  })
})

test('connects to a provider under a debugger, configures it and does not stop it', async () => {
  const source = 'example.com/test/debugged'
  let configured = 0
  const block = {
    attributes: [],
    blocks: [],
    description: '',
    descriptionKind: 'plain',
    deprecated: false,
    deprecationMessage: '',
  } as const
  const none = new Map()
  const schema = {
    ...{ provider: { version: 0, block }, resources: none, dataSources: none, ephemeralResources: none },
    ...{ listResources: none, actions: none, functions: none, diagnostics: [] },
    serverCapabilities: {
      planDestroy: false,
      getProviderSchemaOptional: true,
      moveResourceState: false,
      generateResourceConfig: false,
    },
  }
  const handlers = providerHandlers(
    {
      validateProviderConfig: async () => ({ diagnostics: [] }),
      configureProvider: async () => {
        configured++
        return { diagnostics: [] }
      },
    },
    { schema },
  )
  const served = await servePlugin({ protocols: new Map([[6, handlers]]), env: {}, write: () => {}, debug: true })
  onTestFinished(() => served.close())
  const { address, protocolVersion } = served
  const reattach = new Map([[source, { address, protocolVersion, pid: process.pid, test: true }]])
  const processes = processesWith({ reattach })
  const configuration = { key: 'k', config: valueObject({}), workDirectory: join(directory, 'none') }
  await processes.use(
    { package: { source, version: '0.0.0', executable: '', hash: '' }, owner: 'root/x', configuration },
    async ({ process: { pid } }) => {
      expect(pid).toBe(process.pid)
    },
  )
  expect(configured).toBe(1)
  await processes.close()
  expect(existsSync(join(directory, 'none'))).toBe(false)
})

describe('a server that was killed', () => {
  test('leaves processes, which the next server kills, and no others', async () => {
    const pidDirectory = join(directory, 'pidFiles')
    const processes = processesWith({ pidDirectory })
    const { process: identity } = await processes.use(target(), async (session) => session)
    const [file] = readdirSync(pidDirectory)
    expect(file).toBe(`${identity.pid}.json`)
    // Its server is running, so it is not killed.
    expect(await processesWith({ pidDirectory }).killOrphans()).toBe(0)
    expect(await isAlive(identity)).toBe(true)
    const entry = JSON.parse(readFileSync(join(pidDirectory, file!), 'utf8'))
    const orphan = { ...entry, owner: { pid: 999_999_999, startTime: 'x' } }
    writeFileSync(join(pidDirectory, file!), JSON.stringify(orphan))
    const stranger = { ...orphan, pid: process.pid, startTime: 'another process of this number' }
    writeFileSync(join(pidDirectory, `${process.pid}.json`), JSON.stringify(stranger))
    writeFileSync(join(pidDirectory, 'broken.json'), '{')
    expect(await processesWith({ pidDirectory }).killOrphans()).toBe(1)
    expect(await isAlive(identity)).toBe(false)
    expect(readdirSync(pidDirectory)).toEqual([])
  })

  test.runIf(process.platform === 'linux')(
    'leaves a process without a pid file, which the next server kills with its children',
    async () => {
      const pidDirectory = join(directory, 'pidFiles')
      // The handshake never completes, so no pid file is written while the server runs.
      const odd = target('silent')
      const bystander = spawn('sleep', ['60'], { env: { HYKUBE_LAUNCH: 'somebody-else' } })
      onTestFinished(() => void bystander.kill())
      const server = startServerOf(odd, pidDirectory)
      await expect.poll(() => odd.starts(), { timeout: 30_000 }).toBe(1)
      const orphan = (await identityOf(Number(readFileSync(odd.package.starts, 'utf8'))))!
      onTestFinished(async () => void (await endProcess(orphan)))
      const notes = readdirSync(pidDirectory)
      expect(notes).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\.starting$/)])
      // Its server is running, so it is not killed.
      expect(await processesWith({ pidDirectory }).killOrphans()).toBe(0)
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
      expect(await isAlive(orphan)).toBe(true)
      expect(await processesWith({ pidDirectory }).killOrphans()).toBe(1)
      expect(await isAlive(orphan)).toBe(false)
      expect(await identityOf(bystander.pid!)).toBeDefined()
      expect(readdirSync(pidDirectory)).toEqual([])
    },
  )

  test('leaves no pid file of a failed start', async () => {
    const pidDirectory = join(directory, 'pidFiles')
    await failureOf(processesWith({ pidDirectory }).use(target('exit'), async () => {}))
    expect(readdirSync(pidDirectory)).toEqual([])
  })
})

test('runs the simulated cloud with its extensions', async () => {
  const executable = fileURLToPath(new URL('../../../../../providers/sim/bin/terraform-provider-sim', import.meta.url))
  const world = join(directory, 'world')
  const nothing = { latency_ms: null, failure_rate: null, crash_after: null, seed: null }
  const config = valueObject({ world, ...nothing })
  const sim = { source: 'x/hykube/sim', version: '0.1.0', executable, hash: 'h1:sim' }
  const processes = processesWith()
  await processes.use(
    { package: sim, owner: 'root/sim', configuration: { key: 'sim', config, workDirectory: join(directory, 'sim') } },
    async ({ client, extensions, schema, identitySchemas }) => {
      expect([...schema.resources.keys()]).toContain('sim_network')
      expect(identitySchemas.has('sim_network')).toBe(true)
      expect(extensions?.extensions.get('sim_network')?.idempotentApply).toBe(true)
      const typeName = 'sim_network'
      const wanted = valueObject({ id: null, name: 'n', cidr: '10.0.0.0/8' })
      const planned = await client.planResourceChange({
        typeName,
        priorState: null,
        proposedNewState: wanted,
        config: wanted,
      })
      const applied = await client.applyResourceChange({
        ...{ typeName, priorState: null, config: wanted },
        ...{ plannedState: planned.plannedState!, plannedPrivate: planned.plannedPrivate },
      })
      expect(applied.diagnostics).toEqual([])
      const [outcome] = await extensions!.readMany([{ typeName, currentState: applied.newState! }])
      expect(outcome).toMatchObject({ kind: 'answered', answer: { newState: applied.newState } })
    },
  )
  expect(readdirSync(join(world, 'sim_network'))).toHaveLength(1)
})

test('all processes of the tests have exited', () => {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  expect(all.split('\n').filter((line) => line.includes(prefix))).toEqual([])
})
