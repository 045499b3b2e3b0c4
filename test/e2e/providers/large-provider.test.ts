import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { objectOf, ProviderServer } from './provider-server.ts'

const program = join(import.meta.dirname, '../../fixtures/large-provider/main.ts')

describeWith(['kubectl-1.36'], 'a provider with thousands of types on a running server', (kubectl) => {
  let running: ProviderServer
  let directory: string
  const memory = () => {
    const status = readFileSync(`/proc/${running.server.process.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }

  // CPU time of the server, which is independent of other load on the machine.
  const processorSeconds = () => {
    const stat = readFileSync(`/proc/${running.server.process.pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-large-'))
    const executable = join(directory, 'terraform-provider-aws')
    writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${program}'\n`)
    chmodSync(executable, 0o755)
    running = await ProviderServer.start(kubectl, '--provider-dir', directory)
  })
  afterAll(async () => {
    await running?.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  test('is served, explained and used', { timeout: 180_000 }, async () => {
    const before = memory()
    const started = processorSeconds()
    await running.provide('aws', { source: 'local/aws' })
    // Several times what it takes on a quiet machine: this is no benchmark, but reading every schema twice must be seen.
    expect(processorSeconds() - started).toBeLessThan(15)
    expect(memory() - before).toBeLessThan(160)
    const names = (await running.done('api-resources -o name')).split('\n')
    expect(names.filter((name) => name.endsWith('.aws.hykube.io'))).toHaveLength(2114)
    expect(await running.done('explain aws-lakeformation-resource-lf-tags-2.spec.name')).toContain('FIELD: name')
    const said = await running.apply(objectOf('aws', 'AwsLakeformationResourceLfTags2', 'a', { name: 'a' }))
    expect(said).toContain('created')
  })
})
