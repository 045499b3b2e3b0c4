import { type Plugin, type PluginLog, startPlugin } from '@hykube/tfplugin/handshake'
import { createProviderClient, type ProviderClient } from '@hykube/tfplugin/protocol'
import { emptyBlock, impliedType } from '@hykube/tfplugin/schema'
import {
  Decimal,
  equalValues,
  isUnknown,
  pathToText,
  unknown,
  type Value,
  type ValueObject,
  valueObject,
  valueToJson,
} from '@hykube/tfplugin/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'

const capabilities = { writeOnlyAttributesAllowed: true }

describeWith(['terraform-provider-time'], 'hashicorp/time, a real provider', (executable) => {
  describe.each(['mutual', 'none'] as const)('met with TLS: %s', (tls) => {
    let plugin: Plugin
    let provider: ProviderClient
    const logs: PluginLog[] = []

    beforeAll(async () => {
      plugin = await startPlugin({ executable, env: { TF_LOG: 'TRACE' }, tls, onLog: (log) => logs.push(log) })
      provider = createProviderClient(plugin.grpc, plugin.protocolVersion)
      const config = emptyBlock((await provider.schema()).provider!.block)
      expect((await provider.validateProviderConfig({ config })).diagnostics).toEqual([])
      const configured = await provider.configureProvider({ config, terraformVersion: '1.12.0' })
      expect(configured.diagnostics).toEqual([])
    })
    afterAll(() => plugin?.kill())

    /** A configuration of a resource: what is given, and nothing else. */
    async function config(type: string, given: Readonly<Record<string, Value>>): Promise<ValueObject> {
      const schema = (await provider.schema()).resources.get(type)!
      return valueObject({ ...emptyBlock(schema.block), ...given })
    }

    /** Plans and applies the creation of a resource. */
    async function create(type: string, given: Readonly<Record<string, Value>>) {
      const wanted = await config(type, given)
      const proposed = await proposedNew(type, wanted)
      const change = { typeName: type, priorState: null, config: wanted }
      const planned = await provider.planResourceChange({
        ...change,
        proposedNewState: proposed,
        clientCapabilities: capabilities,
      })
      expect(planned.diagnostics).toEqual([])
      const applied = await provider.applyResourceChange({
        ...change,
        plannedState: planned.plannedState!,
        plannedPrivate: planned.plannedPrivate,
      })
      expect(applied.diagnostics).toEqual([])
      return { planned: planned.plannedState as ValueObject, state: applied.newState as ValueObject, applied }
    }

    // To create, what is computed and not given is unknown.
    async function proposedNew(type: string, wanted: ValueObject): Promise<ValueObject> {
      const { attributes } = (await provider.schema()).resources.get(type)!.block
      const open = attributes.filter(({ name, computed }) => computed && wanted[name] === null)
      return valueObject({ ...wanted, ...Object.fromEntries(open.map(({ name }) => [name, unknown])) })
    }

    test('speaks protocol 5, is healthy and lists what it has', async () => {
      expect(plugin.protocolVersion).toBe(5)
      expect(await plugin.isHealthy()).toBe(true)
      const metadata = await provider.getMetadata()
      expect(metadata.resources.toSorted()).toEqual(['time_offset', 'time_rotating', 'time_sleep', 'time_static'])
      expect(metadata.serverCapabilities).toEqual({
        planDestroy: true,
        getProviderSchemaOptional: true,
        moveResourceState: true,
        generateResourceConfig: false,
      })
    })

    test('has a schema with descriptions and types', async () => {
      const schema = await provider.schema()
      expect(schema.diagnostics).toEqual([])
      const { attributes } = schema.resources.get('time_offset')!.block
      const hours = attributes.find(({ name }) => name === 'offset_hours')
      expect(hours).toMatchObject({ shape: { kind: 'plain', type: { kind: 'number' } }, optional: true })
      expect(hours?.description).toContain('hours')
    })

    test('validates with the place of what is wrong', async () => {
      const typeName = 'time_static'
      const wrong = await config(typeName, { rfc3339: 'yesterday' })
      const { diagnostics } = await provider.validateResourceConfig({ typeName, config: wrong })
      expect(diagnostics).toMatchObject([{ severity: 'error', path: 'rfc3339' }])
      const right = await config(typeName, {})
      expect((await provider.validateResourceConfig({ typeName, config: right })).diagnostics).toEqual([])
    })

    test('plans unknowns and applies them', async () => {
      const { planned, state } = await create('time_static', { triggers: valueObject({ a: '1' }) })
      expect(isUnknown(planned.rfc3339!)).toBe(true)
      expect(state.rfc3339).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
      expect(state.unix).toBeInstanceOf(Decimal)
      expect(state.triggers).toEqual({ a: '1' })
    })

    test('reads back what it made, and an upgrade of it is the same', async () => {
      const typeName = 'time_offset'
      const { state, applied } = await create(typeName, {
        base_rfc3339: '2026-01-01T00:00:00Z',
        offset_hours: Decimal.fromInteger(36),
      })
      expect(state.rfc3339).toBe('2026-01-02T12:00:00Z')
      const read = await provider.readResource({ typeName, currentState: state, private: applied.private })
      expect(equalValues(read.newState!, state)).toBe(true)
      const schema = (await provider.schema()).resources.get(typeName)!
      const json = valueToJson(state, impliedType(schema.block))
      const upgraded = await provider.upgradeResourceState({
        typeName,
        version: schema.version,
        rawState: { kind: 'json', json },
      })
      expect(equalValues(upgraded.upgradedState!, state)).toBe(true)
    })

    test('says what needs a new object', async () => {
      const typeName = 'time_static'
      const { state } = await create(typeName, { triggers: valueObject({ a: '1' }) })
      const wanted = await config(typeName, { triggers: valueObject({ a: '2' }) })
      const planned = await provider.planResourceChange({
        typeName,
        priorState: state,
        config: wanted,
        proposedNewState: valueObject({ ...state, triggers: valueObject({ a: '2' }) }),
      })
      expect(planned.requiresReplace.map(pathToText).sort()).toEqual(['rfc3339', 'triggers'])
    })

    test('imports by an id, and refuses one that is none', async () => {
      const imported = await provider.importResourceState({ typeName: 'time_static', id: '2026-01-01T00:00:00Z' })
      expect(imported.diagnostics).toEqual([])
      expect(imported.importedResources).toMatchObject([
        { typeName: 'time_static', state: { rfc3339: '2026-01-01T00:00:00Z', year: Decimal.fromInteger(2026) } },
      ])
      const refused = await provider.importResourceState({ typeName: 'time_static', id: 'never' })
      expect(refused.diagnostics[0]).toMatchObject({ severity: 'error' })
    })

    test('destroys', async () => {
      const typeName = 'time_sleep'
      const { state, applied } = await create(typeName, { create_duration: '1ms', destroy_duration: '1ms' })
      const change = { typeName, priorState: state, config: null }
      const planned = await provider.planResourceChange({
        ...change,
        proposedNewState: null,
        priorPrivate: applied.private,
      })
      expect(planned.plannedState).toBeNull()
      const destroyed = await provider.applyResourceChange({ ...change, plannedState: null })
      expect(destroyed).toMatchObject({ newState: null, diagnostics: [] })
    })

    test('a sleep is ended by asking the provider to stop', async () => {
      const typeName = 'time_sleep'
      const wanted = await config(typeName, { create_duration: '1h' })
      const planned = await provider.planResourceChange({
        typeName,
        priorState: null,
        config: wanted,
        proposedNewState: await proposedNew(typeName, wanted),
      })
      const applying = provider.applyResourceChange({
        typeName,
        priorState: null,
        config: wanted,
        plannedState: planned.plannedState!,
      })
      await provider.getMetadata()
      await provider.stopProvider()
      expect((await applying).diagnostics[0]).toMatchObject({ severity: 'error' })
    })

    test('calls a function', async () => {
      const { functions } = await provider.getFunctions()
      expect([...functions.keys()]).toContain('rfc3339_parse')
      const { result } = await provider.callFunction({ name: 'rfc3339_parse', arguments: ['2026-03-04T05:06:07Z'] })
      expect(result).toMatchObject({ year: Decimal.fromInteger(2026), second: Decimal.fromInteger(7) })
      const failed = await provider.callFunction({ name: 'rfc3339_parse', arguments: ['never'] })
      expect(failed.error).toMatchObject({ functionArgument: 0 })
    })

    test('calls that the protocol does not have are refused with a message', async () => {
      await expect(provider.planAction({ actionType: 'x', config: null })).rejects.toThrow('has no action x')
    })

    test('logs at its own level', () => {
      expect(logs.some(({ level, module }) => level === 'trace' && module?.includes('sdk'))).toBe(true)
    })

    test('ends when it is asked to', async () => {
      const { code, signal } = await plugin.stop()
      expect([code, signal]).toEqual([0, null])
      await expect(provider.getMetadata()).rejects.toMatchObject({ status: 'UNAVAILABLE', neverProcessed: true })
    })
  })
})
