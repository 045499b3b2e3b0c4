import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { describeWith } from '../../real-parts/index.ts'
import { objectOf, ProviderServer } from './provider-server.ts'
import { newKey, publicKey, SshServer } from './ssh-server.ts'

const example = join(import.meta.dirname, '../../../examples/bare-metal')
const [exampleProvider, exampleSite] = parseAllDocuments(readFileSync(join(example, 'site.yaml'), 'utf8')).map((each) =>
  each.toJSON(),
)

describeWith(['kubectl-1.36', 'ssh', 'sshd'], 'scripts over SSH', (kubectl, ssh, sshd) => {
  let machine: SshServer
  let running: ProviderServer
  const page = (site: string) => join(machine.home, 'sites', site, 'index.html')

  beforeAll(async () => {
    machine = await SshServer.start({ ssh, sshd })
    const script = join(machine.home, 'machine.sh')
    copyFileSync(join(example, 'machine.sh'), script)
    chmodSync(script, 0o755)
    openDirectory(join(machine.home, 'sites'))
    running = await ProviderServer.start(kubectl)
    await running.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'web1', namespace: 'default' },
      stringData: { key: machine.privateKey },
    })
    // The key comes out of the Secret, as the example has it.
    const { private_key } = exampleProvider.spec.config.connection
    const config = { ...exampleProvider.spec.config, connection: { ...machine.connection, private_key } }
    await running.provide('script', { ...exampleProvider.spec, config })
  }, 60_000)
  afterAll(async () => {
    await running?.remove()
    await machine?.remove()
  })

  function siteOf(name: string, title: string, annotations: object = {}): object {
    const script = [join(machine.home, 'machine.sh')]
    return objectOf(
      'script',
      'ScriptResource',
      name,
      {
        ...exampleSite.spec,
        ...{ create: script, read: script, update: script, delete: script },
        ...{ environment: { SITES: join(machine.home, 'sites') }, input: { name, title } },
      },
      annotations,
    )
  }

  /** Another configuration of the provider. */
  function configOf(name: string, connection: object): object {
    const spec = { provider: 'script', config: { connection } }
    return { apiVersion: 'hykube.io/v1alpha1', kind: 'ProviderConfig', metadata: { name, namespace: 'default' }, spec }
  }

  /** Plans one object that runs a command by a connection that differs from the right one; gives how that failed. */
  async function failureBy(name: string, connection: object): Promise<string> {
    await running.apply(
      configOf(name, { ...machine.connection, ...connection }),
      objectOf('script', 'ScriptResource', name, { create: ['touch', join(machine.home, 'was-here')], provider: name }),
    )
    const { changes } = await running.plan({ targets: [`script_resource.${name}`] })
    await running.done(`delete script-resource ${name}`)
    return JSON.stringify([...changes.values()])
  }

  test('a site is made, looked at, repaired, changed and taken away', { timeout: 90_000 }, async () => {
    await running.apply(siteOf('shop', 'The shop'))
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { create: 1 } })
    expect(readFileSync(page('shop'), 'utf8')).toBe('The shop\n')
    const { status } = await running.get('script-resource', 'shop')
    expect(status.attributes).toMatchObject({ id: 'shop', output: { path: join(machine.home, 'sites/shop') } })
    expect(await running.plan({ refresh: 'All' })).toMatchObject({ phase: 'NoChanges' })

    writeFileSync(page('shop'), 'Hacked\n')
    expect(await running.plan({ refresh: 'All' })).toMatchObject({ phase: 'Applied', summary: { update: 1 } })
    expect(readFileSync(page('shop'), 'utf8')).toBe('The shop\n')
    await running.apply(siteOf('shop', 'The new shop'))
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { update: 1 } })
    expect(readFileSync(page('shop'), 'utf8')).toBe('The new shop\n')
    await running.done('delete script-resource shop --wait=false')
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { delete: 1 } })
    expect(existsSync(page('shop'))).toBe(false)
  })

  test('a site that exists is adopted', { timeout: 60_000 }, async () => {
    openDirectory(join(machine.home, 'sites/old'))
    await running.apply(siteOf('old', 'An old one', { 'hykube.io/import-id': 'old' }))
    const { phase, summary, changes } = await running.plan()
    expect({ phase, summary, change: changes.get('script_resource.old') }).toMatchObject({
      phase: 'Applied',
      summary: { create: 0 },
      change: { importing: { id: 'old' } },
    })
    expect(readFileSync(page('old'), 'utf8')).toBe('An old one\n')
    expect(await running.plan({ refresh: 'All' })).toMatchObject({ phase: 'NoChanges' })
  })

  // It looks at the command line of every process, on both ends, as these are one machine here.
  test('variables that are sensitive stand in no command line', { timeout: 60_000 }, async () => {
    const script = `lines=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ')
case $lines in *"$TOKEN"*) secret=true;; *) secret=false;; esac
case $lines in *a-plain-word*) plain=true;; *) plain=false;; esac
printf '{"output":{"secret":%s,"plain":%s,"length":%d}}' $secret $plain $\${#TOKEN}`
    const manner = { interpreter: ['/bin/sh', '-c'], sensitive_environment: { TOKEN: '$' + '{secret["token"].it}' } }
    await running.apply(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'token', namespace: 'default' },
        stringData: { it: 'hunter2-hunter2' },
      },
      objectOf('script', 'ScriptResource', 'looks', { create: [script, 'a-plain-word'], ...manner }),
    )
    expect(await running.plan()).toMatchObject({ phase: 'Applied' })
    const { status } = await running.get('script-resource', 'looks')
    expect(status.attributes.output).toEqual({ secret: false, plain: true, length: 15 })
  })

  test('a host that shows another key gets no command', { timeout: 60_000 }, async () => {
    newKey(ssh, join(machine.home, 'other_key'))
    const failure = await failureBy('another', { host_key: publicKey(join(machine.home, 'other_key')) })
    expect(failure).toContain('127.0.0.1 has a different key (SHA256:')
    expect(failure).toContain('host_key')
    expect(existsSync(join(machine.home, 'was-here'))).toBe(false)
  })

  test.each([
    ['unknown', { host_key: null }, 'Set host_key to the output of `ssh-keyscan -p'],
    ['unfit', { private_key: 'hunter2-hunter2' }, 'private_key is not a valid key'],
    ['stranger', { user: 'stranger' }, 'denies access to stranger'],
    ['nowhere', { host: 'no-such-machine.invalid' }, 'the host name no-such-machine.invalid cannot be resolved'],
    ['closed', { port: 1 }, '127.0.0.1 cannot be reached on port 1 (connection refused). Check that it is up'],
  ])('a connection that is %s says what to do', { timeout: 60_000 }, async (name, connection, told) => {
    const failure = await failureBy(name, connection)
    expect(failure).toContain(told)
    expect(failure).not.toContain('hunter2')
    expect(existsSync(join(machine.home, 'was-here'))).toBe(false)
  })

  test('a command that the connection breaks under may go on, and one that ends with 255 is not that', async () => {
    const command = (name: string, script: string) =>
      objectOf('script', 'ScriptResource', name, { create: ['/bin/sh', '-c', script] })
    await running.apply(command('broken', 'kill -9 $PPID'), command('ended', 'echo of its own >&2; exit 255'))
    const { changes } = await running.plan()
    expect(changes.get('script_resource.broken')?.outcome?.message).toMatch(
      /the connection broke \(Connection to 127.0.0.1 closed by remote host\), and it may still run there/,
    )
    expect(changes.get('script_resource.ended')?.outcome?.message).toContain('exit code 255')
    await running.done('delete script-resource broken ended')
  }, 60_000)

  test('a resource on a machine that is down is blocked, with the reason', { timeout: 60_000 }, async () => {
    const other = await SshServer.start({ ssh, sshd })
    onTestFinished(() => other.remove())
    const commands = { create: ['true'], read: ['true'], provider: 'other' }
    await running.apply(configOf('other', other.connection), objectOf('script', 'ScriptResource', 'far', commands))
    const targets = ['script_resource.far']
    expect(await running.plan({ targets })).toMatchObject({ phase: 'Applied', summary: { create: 1 } })
    await other.stop()
    const { changes } = await running.plan({ targets, refresh: 'All' })
    expect(changes.get(targets[0]!)).toMatchObject({ action: 'blocked' })
    expect(JSON.stringify(changes.get(targets[0]!))).toContain(`cannot be reached on port ${other.port}`)
  })
})

// The user of the other machine may be another than that of this process.
function openDirectory(path: string): void {
  mkdirSync(path)
  chmodSync(path, 0o777)
}
