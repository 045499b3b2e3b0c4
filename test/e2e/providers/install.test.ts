import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ProviderInstaller, ProviderProcesses } from '@hykube/server/provider'
import { FakeRegistry } from '@hykube/server/provider/testing'
import { emptyBlock, isUnknown, unknown, type ValueObject, valueObject } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'

const run = promisify(execFile)

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
    installer = new ProviderInstaller({ cacheDirectory: join(directory, 'cache'), certificateAuthorities })
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
      const planned = await processes.use({ package: installed, configuration }, async ({ client }) => {
        const wanted = emptyBlock(schema.resources.get('time_static')!.block) as ValueObject
        const proposedNewState = valueObject({ ...wanted, id: unknown, rfc3339: unknown })
        return client.planResourceChange({
          typeName: 'time_static',
          priorState: null,
          proposedNewState,
          config: wanted,
        })
      })
      expect(planned.diagnostics).toEqual([])
      expect(isUnknown((planned.plannedState as ValueObject).rfc3339!)).toBe(true)
    } finally {
      await processes.close()
    }
  })

  describeWith(['terraform'], 'and Terraform', (terraform) => {
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
