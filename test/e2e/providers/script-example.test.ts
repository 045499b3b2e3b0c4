import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { describeWith } from '../../real-parts/index.ts'
import { ProviderServer } from './provider-server.ts'

const example = join(import.meta.dirname, '../../../examples/bare-metal')

describeWith(['kubectl-1.36'], 'the example of bare metal', (kubectl) => {
  let running: ProviderServer
  const sites = mkdtempSync(join(tmpdir(), 'hykube-sites-'))
  const page = join(sites, 'shop', 'index.html')

  beforeAll(async () => {
    const flags = ['--allow-local-scripts', '--provider-path', `script=${sites}`]
    running = await ProviderServer.start(kubectl, ...flags)
  })
  afterAll(async () => {
    await running?.remove()
    rmSync(sites, { recursive: true, force: true })
  })

  test('a site is made, looked at, repaired, changed and taken away by its script', { timeout: 90_000 }, async () => {
    const program = [join(example, 'machine.sh')]
    const [provider, site] = parseAllDocuments(readFileSync(join(example, 'site.yaml'), 'utf8')).map((each) =>
      each.toJSON(),
    )
    // Here there is no other machine: the script runs on this one.
    const { connection, ...config } = provider.spec.config
    expect(connection.host).toBeTypeOf('string')
    await running.provide('script', { ...provider.spec, config })
    const commands = { create: program, read: program, update: program, delete: program }
    const write = (title: string) =>
      running.apply({
        ...site,
        spec: { ...site.spec, ...commands, environment: { SITES: sites }, input: { name: 'shop', title } },
      })
    await write('The shop')
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { create: 1 } })
    expect(readFileSync(page, 'utf8')).toBe('The shop\n')
    const { status } = await running.get('script-resource', 'shop')
    expect(status.attributes).toMatchObject({ id: 'shop', output: { path: join(sites, 'shop') } })
    expect(await running.plan({ refresh: 'All' })).toMatchObject({ phase: 'NoChanges' })

    writeFileSync(page, 'Hacked\n')
    expect(await running.plan({ refresh: 'All' })).toMatchObject({ phase: 'Applied', summary: { update: 1 } })
    expect(readFileSync(page, 'utf8')).toBe('The shop\n')
    await write('The new shop')
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { update: 1 } })
    expect(readFileSync(page, 'utf8')).toBe('The new shop\n')
    await running.done('delete script-resource shop --wait=false')
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { delete: 1 } })
    expect(existsSync(page)).toBe(false)
  })

  test('an object as input may hold the output of a resource of the same plan', async () => {
    await running.provide('script', { source: 'hykube/script' })
    const object = (name: string, input: object, output: object) => ({
      apiVersion: 'script.hykube.io/v1',
      kind: 'ScriptResource',
      metadata: { name },
      spec: { create: ['/bin/sh', '-c', `cat >/dev/null; echo '${JSON.stringify({ output })}'`], input },
    })
    await running.apply(
      object('first', { size: 1 }, { path: '/srv' }),
      object('second', { where: '${script_resource.first.output.path}' }, {}),
    )
    expect(await running.plan()).toMatchObject({ phase: 'Applied', summary: { create: 2 } })
    const { status } = await running.get('script-resource', 'second')
    expect(status.attributes.input).toEqual({ where: '/srv' })
  })
})
