import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPlugin } from '@hykube/tfplugin/handshake'
import { createProviderClient } from '@hykube/tfplugin/protocol'
import { expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { TerraformRun } from './terraform-run.ts'

const example = new URL('../../../examples/providers/notes/', import.meta.url)
const source = readFileSync(new URL('main.ts', example), 'utf8')

test('the guide shows the example as an author writes it who has installed the package', () => {
  const guide = readFileSync(new URL('../../../docs/writing-a-provider.md', import.meta.url), 'utf8')
  const launcher = readFileSync(new URL('terraform-provider-notes', example), 'utf8')
  expect(guide).toContain(`\`\`\`ts\n${source.replace("'@hykube/", "'hykube/")}\`\`\``)
  expect(guide).toContain(`\`\`\`text\n${launcher}\`\`\``)
})

test('the example serves its schema', async () => {
  const plugin = await startPlugin({
    executable: process.execPath,
    args: [fileURLToPath(new URL('main.ts', example))],
    env: {},
  })
  try {
    const { resources } = await createProviderClient(plugin.grpc, plugin.protocolVersion).schema()
    expect([...resources.keys()]).toEqual(['notes_note'])
  } finally {
    await plugin.kill()
  }
})

describeWith(['terraform'], 'the example of the guide under real terraform', (terraform) => {
  test('notes are written, changed and removed', { timeout: 120_000 }, async () => {
    const run = new TerraformRun(terraform, { notes: fileURLToPath(new URL('terraform-provider-notes', example)) })
    const directory = join(run.directory, 'notes')
    const write = (text: string) =>
      run.write(
        `provider "notes" {\n  directory = "notes"\n}\nresource "notes_note" "hello" {\n  text = "${text}"\n}\n`,
      )
    const texts = () => readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))
    write('hello')
    expect((await run.apply()).output).toContain('Resources: 1 added, 0 changed, 0 destroyed.')
    expect(await run.plan()).toMatchObject({ code: 0 })
    write('world')
    expect((await run.apply()).output).toContain('Resources: 0 added, 1 changed, 0 destroyed.')
    expect(texts()).toEqual(['world'])
    rmSync(join(directory, readdirSync(directory)[0]!))
    expect((await run.apply()).output).toContain('Resources: 1 added, 0 changed, 0 destroyed.')
    await run.run('destroy', '-auto-approve')
    expect(texts()).toEqual([])
  })
})
