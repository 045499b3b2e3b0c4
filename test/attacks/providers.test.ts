import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectOf, ProviderServer } from '../e2e/providers/provider-server.ts'
import { describeWith } from '../real-parts/index.ts'

const program = join(import.meta.dirname, '../fixtures/unruly-provider/main.ts')

// Each of them is looked for everywhere, also in base64.
const secrets = {
  token: 'token-Of-The-Provider "quoted"',
  plain: 'secret-In-A-Plain-Attribute',
  west: 'token-Of-West',
  note: 'secret-Of-An-Object',
  environment: 'credential-Of-The-Server',
}

describeWith(['kubectl-1.36'], 'a provider that tells all it knows', (kubectl) => {
  let running: ProviderServer
  let directory: string
  let log = ''

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-telling-'))
    const path = join(directory, 'terraform-provider-unruly')
    writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}'\n`)
    chmodSync(path, 0o755)
    process.env.AWS_SECRET_ACCESS_KEY = secrets.environment
    running = await ProviderServer.start(kubectl, '--provider-dir', directory, '--v', '4')
    delete process.env.AWS_SECRET_ACCESS_KEY
    running.server.process.stderr?.on('data', (bytes: Buffer) => {
      log += bytes.toString()
    })
    const { environment: _, ...kept } = secrets
    const metadata = { name: 'kept', namespace: 'default' }
    await running.apply({ apiVersion: 'v1', kind: 'Secret', metadata, stringData: kept })
    const config = { token: `\${secret["default/kept"].token}`, plain: `\${secret["default/kept"].plain}` }
    await running.provide('telling', { source: 'local/unruly', config })
    await running.apply({
      apiVersion: 'hykube.io/v1alpha1',
      kind: 'ProviderConfig',
      metadata: { name: 'west', namespace: 'default' },
      spec: { provider: 'telling', config: { token: `\${secret["kept"].west}` } },
    })
  }, 60_000)
  afterAll(async () => {
    await running?.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  const thing = (name: string, spec: object) => objectOf('telling', 'UnrulyThing', name, { name, ...spec })
  const telling = (text: string) =>
    Object.entries(secrets)
      .filter(([, secret]) => [secret, secret.slice(0, 20), base64(secret)].some((form) => text.includes(form)))
      .map(([name]) => name)

  test('tells the log nothing that is secret, at no level', { timeout: 60_000 }, async () => {
    const note = `\${secret["kept"].note}`
    await running.apply(
      thing('plan', { deed: 'plan:tell', note }),
      thing('apply', { deed: 'apply:tell', note }),
      thing('west', { deed: 'plan:tell', provider: 'west' }),
    )
    expect(await running.plan()).toMatchObject({ phase: 'Applied' })
    // Its output is in the log, of every level and of stdout and stderr.
    for (const said of ['configured with', 'refused by the cloud', 'my environment is', 'and on stdout', 'asked with'])
      await expect.poll(() => log).toContain(said)
    expect(log).toContain('"level":"trace"')
    expect(log).toContain('(sensitive value)')
    expect(telling(log)).toEqual([])
  })

  test('sees of the environment what every process may see, and no other configuration', async () => {
    const processes = childrenOf(running.server.process.pid!)
    expect(processes.length).toBeGreaterThan(1)
    for (const pid of processes) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      const names = environment.map((each) => each.split('=')[0]!).filter((name) => name !== '')
      expect(telling(environment.join('\n'))).toEqual([])
      expect(telling(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))).toEqual([])
      for (const name of names)
        expect(name).toMatch(
          /^(PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|PWD|TF_LOG_PROVIDER|TF_PLUGIN_MAGIC_COOKIE|HYKUBE_LAUNCH|PLUGIN_\w+|\w+_PROXY|\w+_proxy|SSL_CERT_(FILE|DIR))$/,
        )
    }
  })

  test('tells nobody who reads the API, when it crashes neither', { timeout: 60_000 }, async () => {
    const note = `\${secret["kept"].note}`
    for (const call of ['plan', 'apply']) {
      await running.apply(thing(`dies${call}`, { deed: `${call}:lament`, note }))
      await running.plan({ targets: [`unruly_thing.dies${call}`] })
    }
    const kinds = 'providers,providerconfigs,plans,events,unruly-things.telling.hykube.io,customresourcedefinitions'
    let seen = await running.done(`get ${kinds} -A -o json`)
    for (const { metadata } of (await running.get('plans')).items) {
      const path = `/apis/hykube.io/v1alpha1/namespaces/default/plans/${metadata.name}`
      for (const part of ['changes', 'json']) seen += await running.done(['get', '--raw', `${path}/${part}`])
    }
    expect(seen).toContain('I was given (sensitive value)')
    expect(telling(seen)).toEqual([])
    expect(telling(log)).toEqual([])
  })

  test('leaves nothing in files that somebody else can read', () => {
    const work = join(running.server.dataDirectory, 'providers', 'work', 'root', 'telling')
    expect(readdirSync(work).sort()).toEqual(['default', 'default.west'])
    for (const file of readdirSync(join(running.server.dataDirectory, 'providers'), {
      recursive: true,
      withFileTypes: true,
    }))
      if (file.isFile()) expect(telling(readFileSync(join(file.parentPath, file.name), 'utf8'))).toEqual([])
  })
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64').replace(/=+$/, '')
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}
