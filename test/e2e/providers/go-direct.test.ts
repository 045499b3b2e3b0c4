import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Plugin, startPlugin } from '@hykube/tfplugin/handshake'
import { createProviderClient, type ProviderClient } from '@hykube/tfplugin/protocol'
import { type ValueObject, valueObject } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'

// Calls RPCs that no plan uses.
for (const [name, protocol] of [
  ['frame', 6],
  ['mixed', 6],
] as const) {
  describeWith([`terraform-provider-${name}`], `${name}, asked directly`, (executable) => {
    const world = mkdtempSync(join(tmpdir(), 'hykube-direct-'))
    let plugin: Plugin
    let provider: ProviderClient

    beforeAll(async () => {
      mkdirSync(join(world, 'note'))
      for (const id of ['a', 'b'])
        writeFileSync(join(world, 'note', `note-${id}.json`), `{"name":"${id}","text":"of ${id}","edits":0}`)
      plugin = await startPlugin({ executable, env: { PATH: process.env.PATH ?? '' }, onLog: () => {} })
      provider = createProviderClient(plugin.grpc, plugin.protocolVersion)
      const config = valueObject({ world, token: null })
      const { diagnostics } = await provider.configureProvider({ config, terraformVersion: '1.12.0' })
      expect(diagnostics).toEqual([])
    })
    afterAll(async () => {
      await plugin?.kill()
      rmSync(world, { recursive: true, force: true })
    })

    test('it says what it has', async () => {
      expect(plugin.protocolVersion).toBe(protocol)
      const metadata = await provider.getMetadata()
      expect(metadata.resources).toEqual(expect.arrayContaining([`${name}_everything`, `${name}_note`]))
      expect(metadata.ephemeralResources).toEqual([`${name}_token`])
      expect(metadata.listResources).toEqual([`${name}_note`])
      expect(metadata.functions).toEqual(['shout'])
      expect([...(await provider.identitySchemas()).keys()]).toEqual([`${name}_note`])
    })

    test('a function is called, with further arguments', async () => {
      const call = { name: 'shout', arguments: ['-', 'a', 'b'] }
      expect(await provider.callFunction(call)).toMatchObject({ result: 'A-B' })
    })

    test('an ephemeral resource is opened', async () => {
      const config = valueObject({ of: 'ann', value: null })
      const { result, diagnostics } = await provider.openEphemeralResource({ typeName: `${name}_token`, config })
      expect(diagnostics).toEqual([])
      expect(result).toMatchObject({ value: 'token of ann' })
    })

    test('existing resources are listed with identities and states', async () => {
      const config = valueObject({ prefix: 'b' })
      const request = { typeName: `${name}_note`, config, includeResourceObject: true, limit: 10 }
      const events = await Array.fromAsync(provider.listResource(request))
      expect(events).toMatchObject([
        { displayName: 'b', identity: { id: 'note-b' }, resourceObject: { text: 'of b', loud: 'OF B' } },
      ])
    })

    test('an object is imported by its identity, and an old state is upgraded', async () => {
      const typeName = `${name}_note`
      const imported = await provider.importResourceState({ typeName, identity: valueObject({ id: 'note-a' }) })
      expect(imported.diagnostics).toEqual([])
      expect((imported.importedResources[0]!.state as ValueObject).id).toBe('note-a')
      const json = '{"id":"note-a","name":"a","body":"old words"}'
      const upgraded = await provider.upgradeResourceState({ typeName, version: 0, rawState: { kind: 'json', json } })
      expect(upgraded.diagnostics).toEqual([])
      expect(upgraded.upgradedState).toMatchObject({ text: 'old words', loud: 'OLD WORDS' })
    })
  })
}
