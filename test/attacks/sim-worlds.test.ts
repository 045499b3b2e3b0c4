import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { objectOf, ProviderServer } from '../e2e/providers/provider-server.ts'
import { describeWith } from '../real-parts/index.ts'

describeWith(['kubectl-1.36'], 'a ProviderConfig of hykube/sim', (kubectl) => {
  let running: ProviderServer
  beforeAll(async () => {
    running = await ProviderServer.start(kubectl)
    await running.provide('sim', { source: 'hykube/sim' })
  }, 120_000)
  afterAll(() => running?.remove())

  const planWith = async (name: string, world: string) => {
    const config = { provider: 'sim', config: { world } }
    const metadata = { name, namespace: 'default' }
    await running.apply(
      { apiVersion: 'hykube.io/v1alpha1', kind: 'ProviderConfig', metadata, spec: config },
      objectOf('sim', 'SimNull', name, { provider: name }),
    )
    return running.plan({ targets: [`sim_null.${name}`] })
  }

  test.each(['', 'sqlite:'])('reaches no file of the server (%s)', async (scheme) => {
    const name = scheme === '' ? 'files' : 'database'
    const target = join(running.server.dataDirectory, 'stolen')
    const { phase, changes } = await planWith(name, `${scheme}${target}`)
    expect(phase).toBe('Blocked')
    expect(changes.get(`sim_null.${name}`)?.message).toMatch(/is outside of the directories that it may use/)
    expect(existsSync(target)).toBe(false)
  })

  test('has a world of its own under a relative path', async () => {
    expect(await planWith('own', 'west')).toMatchObject({ phase: 'Applied', summary: { create: 1 } })
    const files = readdirSync(running.server.dataDirectory, { recursive: true }).map(String)
    expect(files.filter((file) => /west\/sim_null\/.*\.json$/.test(file))).toHaveLength(1)
  })
})
