import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { estates, type Step } from './go-estates.ts'
import { objectOf, ProviderServer } from './provider-server.ts'
import { TerraformRun } from './terraform-run.ts'

const proxy = join(import.meta.dirname, '../../fixtures/recording-proxy/main.ts')

// Each provider is driven by Terraform and by Hykube through the same steps; what they ask of it must be the same.
for (const [name, steps] of Object.entries(estates)) {
  describeWith(
    ['terraform', 'kubectl-1.36', `terraform-provider-${name}`],
    `what ${name} is asked by Terraform and by Hykube`,
    (terraform, kubectl, executable) => {
      test('is the same for creating, updating, replacing and deleting', { timeout: 240_000 }, async () => {
        const directory = mkdtempSync(join(tmpdir(), 'hykube-recorded-'))
        onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
        chmodSync(directory, 0o711)
        const theirs = recorder(directory, name, executable, 'terraform')
        const ours = recorder(directory, name, executable, 'hykube')
        const run = new TerraformRun(terraform, { [name]: theirs.executable })
        const granted = [ours.directory, join(directory, 'ours')].flatMap((path) => [
          '--provider-path',
          `${name}=${path}`,
        ])
        const running = await ProviderServer.start(kubectl, '--provider-dir', ours.directory, ...granted)
        onTestFinished(() => running.remove())
        await running.provide(name, { source: `local/${name}`, config: { world: join(directory, 'ours') } })
        const before: string[] = []
        for (const { title, resources } of steps) {
          writeFileSync(join(run.directory, 'main.tf.json'), terraformOf(name, join(directory, 'theirs'), resources))
          const applied = await run.apply('-refresh=false')
          expect(applied.output, title).toContain('Apply complete!')
          await carryOut(running, name, resources, before)
          const [expected, given] = [theirs.take(), ours.take()]
          expect(expected.size, title).toBeGreaterThan(0)
          expect([...given].sort(), title).toEqual([...expected].sort())
        }
      })
    },
  )
}

async function carryOut(running: ProviderServer, provider: string, resources: Step['resources'], before: string[]) {
  const wanted = Object.entries(resources)
  const gone = before.filter((known) => !(known in resources))
  const kind = (type: string) =>
    type
      .split('_')
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join('')
  if (wanted.length > 0)
    await running.apply(
      ...wanted.map(([address, spec]) =>
        objectOf(provider, kind(address.split('.')[0]!), address.split('.')[1]!, spec),
      ),
    )
  for (const address of gone) {
    const [type, name] = address.split('.') as [string, string]
    await running.done(['delete', `${type.replaceAll('_', '-')}s.${provider}.hykube.io`, name, '--wait=false'])
  }
  before.splice(0, before.length, ...Object.keys(resources))
  const { phase, changes } = await running.plan({ refresh: 'None' })
  expect(phase, JSON.stringify([...changes.values()])).toBe('Applied')
}

function recorder(directory: string, name: string, real: string, host: string) {
  const place = join(directory, host)
  mkdirSync(place)
  const executable = join(place, `terraform-provider-${name}`)
  const file = join(place, 'records')
  // The cache of real parts may lie where the user of a provider can't read it.
  const copy = join(directory, `real-${host}`)
  copyFileSync(real, copy)
  writeFileSync(executable, `#!/bin/sh\nexec '${process.execPath}' '${proxy}' '${copy}' '${file}'\n`)
  chmodSync(copy, 0o755)
  chmodSync(executable, 0o755)
  // The distinct calls since the last time: how often a host asks is its own affair.
  const take = () => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    rmSync(file, { force: true })
    return new Set(lines)
  }
  return { directory: place, executable, take }
}

function terraformOf(provider: string, world: string, resources: Step['resources']): string {
  const byType: Record<string, Record<string, object>> = {}
  for (const [address, spec] of Object.entries(resources)) {
    const [type, name] = address.split('.') as [string, string]
    byType[type] = { ...byType[type], [name]: spec }
  }
  const some = Object.keys(byType).length > 0 ? { resource: byType } : {}
  return JSON.stringify({ provider: { [provider]: { world } }, ...some })
}
