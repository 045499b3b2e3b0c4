import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { EgressGuard } from '@hykube/server/egress'
import { currentPlatform, ProviderInstaller, ProviderProcesses } from '@hykube/server/provider'
import { FakeRegistry } from '@hykube/server/provider/testing'
import { emptyBlock } from '@hykube/tfplugin/schema'
import { isUnknown, unknown, type ValueObject, valueObject } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const versions = ['1.0.0', '1.0.4', '1.1.0', '1.2.0-beta1', '1.5.0', '2.0.0-rc.1', '2.0.0', '10.0.0']
const constraints = [
  '= 1.1',
  '>= 1, < 2, != 1.5',
  '<=1.0.4',
  '~> 1.0.4',
  '~> 1',
  '1.2.0-beta1',
  '>= 2.0.0-rc.1',
].concat(['~> 1.2.0-beta1', '> 3, < 2', 'v1.1.0', '1.*', '>= 1.0 < 2.0', '>= 1.0,', '~> 1.0-beta', '1.2.3.4'])

describeWith(['terraform-provider-time'], 'a real provider in a registry', (executable) => {
  let directory: string
  let registry: FakeRegistry
  let installer: ProviderInstaller

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'install-e2e-'))
    registry = await FakeRegistry.start({ tls: true })
    const name = 'terraform-provider-time_v0.14.2_x5'
    const files = [
      { name, content: readFileSync(executable), mode: 0o100755 },
      { name: 'LICENSE.txt', content: 'as it comes' },
    ]
    await registry.publish({ namespace: 'acme', type: 'time', version: '0.14.2', protocols: ['5.0'], files })
    const certificateAuthorities = [registry.certificate!]
    installer = new ProviderInstaller({
      cacheDirectory: join(directory, 'cache'),
      certificateAuthorities,
      egress: new EgressGuard(['localhost']),
    })
  })
  afterAll(async () => {
    installer.close()
    await registry.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test('is installed and run', async () => {
    const installed = await installer.install({ source: `${registry.host}/acme/time`, version: '~> 0.14' })
    const processes = new ProviderProcesses({ schemaDirectory: join(directory, 'schemas'), environment: process.env })
    try {
      const { schema } = await processes.schemaOf(installed)
      const config = emptyBlock(schema.provider!.block)
      const configuration = { key: 'default', config, workDirectory: join(directory, 'work') }
      const planned = await processes.use(
        { package: installed, owner: 'root/time', configuration },
        async ({ client }) => {
          const wanted = emptyBlock(schema.resources.get('time_static')!.block) as ValueObject
          const proposedNewState = valueObject({ ...wanted, id: unknown, rfc3339: unknown })
          return client.planResourceChange({
            typeName: 'time_static',
            priorState: null,
            proposedNewState,
            config: wanted,
          })
        },
      )
      expect(planned.diagnostics).toEqual([])
      expect(isUnknown((planned.plannedState as ValueObject).rfc3339!)).toBe(true)
    } finally {
      await processes.close()
    }
  })

  test('is installed by several processes at one time, once', async () => {
    const shared = join(directory, 'shared')
    const settings = { cacheDirectory: shared, certificateAuthorities: [registry.certificate] }
    const program = `
      const { ProviderInstaller } = await import('@hykube/server/provider')
      const { EgressGuard } = await import('@hykube/server/egress')
      const egress = new EgressGuard(['localhost'])
      const installer = new ProviderInstaller({ ...${JSON.stringify(settings)}, egress })
      const { directory } = await installer.install({ source: '${registry.host}/acme/time' })
      process.stdout.write(directory)`
    const args = ['--input-type=module', '-e', program]
    const all = await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, args, { cwd: root })))
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1)
    expect(readdirSync(join(shared, 'packages'))).toHaveLength(1)
    expect(readdirSync(join(shared, 'tmp'))).toEqual([])
  })

  describeWith(['terraform'], 'and Terraform', (terraform) => {
    test('chooses the same versions', async () => {
      const mirror = join(directory, 'mirror')
      for (const version of versions) {
        const home = join(mirror, 'example.com/acme/x', version, currentPlatform())
        mkdirSync(home, { recursive: true })
        writeFileSync(join(home, `terraform-provider-x_v${version}`), `#!/bin/sh\n# ${version}\n`, { mode: 0o755 })
      }
      const rc = join(directory, 'mirror.tfrc')
      writeFileSync(rc, `provider_installation {\n filesystem_mirror { path = "${mirror}" }\n}\n`)
      const mirrored = new ProviderInstaller({
        cacheDirectory: join(directory, 'cache'),
        methods: [{ kind: 'filesystem-mirror', directory: mirror }],
      })
      let chosen = 0
      for (const version of constraints) {
        const home = mkdtempSync(join(directory, 'choice-'))
        const required = `x = { source = "example.com/acme/x", version = "${version}" }`
        writeFileSync(join(home, 'main.tf'), `terraform {\n required_providers {\n ${required}\n }\n}\n`)
        const env = { PATH: process.env.PATH, HOME: home, TF_CLI_CONFIG_FILE: rc, CHECKPOINT_DISABLE: '1' }
        const theirs = await run(terraform, ['init', '-no-color'], { cwd: home, env }).then(
          ({ stdout }) => /Installed \S+ v(\S+)/.exec(stdout)?.[1],
          () => undefined,
        )
        const ours = await mirrored.resolve({ source: 'example.com/acme/x', version }).then(
          (resolved) => resolved.version,
          () => undefined,
        )
        expect(`${version}: ${ours}`).toBe(`${version}: ${theirs}`)
        if (ours !== undefined) chosen++
      }
      expect(chosen).toBe(8)
    })

    test('installs the same package from it, by the same hashes', async () => {
      const source = `${registry.host}/acme/time`
      const { lock } = await installer.install({ source })
      const home = join(directory, 'terraform')
      mkdirSync(home)
      writeFileSync(join(home, 'ca.pem'), registry.certificate!)
      writeFileSync(join(home, 'main.tf'), `terraform {\n required_providers {\n t = { source = "${source}" }\n }\n}\n`)
      const env = { PATH: process.env.PATH, HOME: home, SSL_CERT_FILE: join(home, 'ca.pem'), CHECKPOINT_DISABLE: '1' }
      const { stdout } = await run(terraform, ['init', '-no-color'], { cwd: home, env })
      expect(stdout).toMatch(/Installed .*acme\/time v0\.14\.2 \(self-signed, key ID/)
      const locked = readFileSync(join(home, '.terraform.lock.hcl'), 'utf8')
      expect([...locked.matchAll(/"((?:h1|zh):[^"]+)"/g)].map(([, hash]) => hash)).toEqual(lock.hashes)
    })
  })
})
