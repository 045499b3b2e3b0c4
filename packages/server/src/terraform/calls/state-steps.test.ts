import { Decimal, stringType, unknown, type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import type { StoredInstance } from '../../model/index.ts'
import { normaliseBlocks } from '../legacy-blocks.ts'
import { fakeProvider, plan } from '../testing/fake-provider.ts'
import { at, instanceOf, stateOf, thing } from '../testing/instances.ts'
import { attribute, nestedBlock, object, objectOf, schema } from '../testing/schemas.ts'
import { planDataSource, readDataSource } from './data-source.ts'
import { importState } from './import-state.ts'
import { planDestroy } from './plan-destroy.ts'
import { refreshState } from './refresh-state.ts'
import { upgradeState } from './upgrade-state.ts'

const made = objectOf(thing, { name: 'a', image: 'x', id: '1', zone: 'z' })
const failing = { diagnostics: [{ severity: 'error' as const, summary: 'No access' }] }

describe('a refresh', () => {
  test('of an object that is as it was shares its value', async () => {
    const state = stateOf(made, { status: 'tainted', sensitivePaths: [at('name')] })
    const provider = fakeProvider({
      readResource: () => ({ newState: objectOf(thing, { ...made }), private: Uint8Array.of(5) }),
    })
    const read = await refreshState(instanceOf(), state, provider)
    expect(read).toMatchObject({ kind: 'refreshed', drift: 'none', notes: [] })
    if (read.kind !== 'refreshed') return
    expect(read.state).toEqual({ ...state, private: Uint8Array.of(5) })
    expect(read.state!.value).toBe(made)
  })

  test('sees what was changed outside', async () => {
    const provider = fakeProvider({ readResource: () => ({ newState: objectOf(thing, { ...made, zone: 'y' }) }) })
    expect(await refreshState(instanceOf(), stateOf(made), provider)).toMatchObject({
      drift: 'changed',
      state: { value: { zone: 'y' } },
      diagnostics: [],
    })
  })

  test('sees that the object is gone', async () => {
    const read = await refreshState(
      instanceOf(),
      stateOf(made),
      fakeProvider({ readResource: () => ({ newState: null }) }),
    )
    expect(read).toMatchObject({ kind: 'refreshed', drift: 'gone' })
    expect(read).not.toHaveProperty('state')
  })

  test.each<[string, object]>([
    ['an error', failing],
    ['unknown values', { newState: objectOf(thing, { name: unknown }) }],
    ['a write-only value', { newState: objectOf(thing, { name: 'a', secret: 's' }) }],
    ['nothing', { newState: undefined }],
  ])('fails with %s', async (_, answer) => {
    const read = await refreshState(instanceOf(), stateOf(made), fakeProvider({ readResource: () => answer }))
    expect(read).toMatchObject({ kind: 'failed', diagnostics: [{ severity: 'error' }] })
  })

  test('mends blocks that an old provider left null', async () => {
    const its = schema([attribute('name')], [nestedBlock('rules', 'list', [attribute('port')])])
    const provider = fakeProvider({ readResource: () => ({ newState: object({ name: 'a', rules: null }) }) })
    const read = await refreshState(instanceOf(its), stateOf(object({ name: 'a', rules: [] })), provider)
    expect(read).toMatchObject({ drift: 'none', state: { value: { rules: [] } } })
    expect(read.notes).toHaveLength(1)
  })
})

test.each<[string, Value, Value]>([
  ['null lists', { l: null, s: null, g: null, o: null }, { l: [], s: [], g: { a: null, i: [] }, o: null }],
  [
    'unknown ones',
    { l: unknown, s: [], g: { a: '', i: [] }, o: null },
    { l: [{ a: unknown, i: [{ b: unknown }] }], s: [], g: { a: '', i: [] }, o: null },
  ],
  [
    'within blocks',
    { l: [{ a: 'x', i: null }], s: [], g: { a: '', i: [] }, o: null },
    { l: [{ a: 'x', i: [] }], s: [], g: { a: '', i: [] }, o: null },
  ],
])('old providers leave %s', (_, given, mended) => {
  const inner = [nestedBlock('i', 'list', [attribute('b')])]
  const blocks = (['l', 's', 'g', 'o'] as const).map((name) =>
    nestedBlock(name, ({ l: 'list', s: 'set', g: 'group', o: 'single' } as const)[name], [attribute('a')], inner),
  )
  const its = schema([], blocks)
  expect(normaliseBlocks(its, given)).toEqual(mended)
  expect(normaliseBlocks(its, mended)).toBe(mended)
})

describe('an upgrade', () => {
  const stored: StoredInstance = {
    raw: { kind: 'json', json: '{"name":"a","image":"x","id":"1","zone":"z","secret":null}' },
    private: Uint8Array.of(1),
    schemaVersion: 0,
    status: 'tainted',
    sensitivePaths: [at('name')],
  }
  const upgrading = fakeProvider({ upgradeResourceState: () => ({ upgradedState: made }) })

  test('keeps everything but the value', async () => {
    const state = {
      value: made,
      private: Uint8Array.of(1),
      schemaVersion: 0,
      status: 'tainted',
      sensitivePaths: [at('name')],
    }
    expect(await upgradeState(instanceOf(), stored, upgrading)).toMatchObject({ kind: 'upgraded', state })
  })

  test('is not asked for when the same package wrote the state', async () => {
    const provider = fakeProvider()
    expect(await upgradeState(instanceOf(), stored, provider, { samePackage: true })).toMatchObject({
      state: { value: made },
    })
    expect(provider.calls).toEqual([])
  })

  test('leaves out attributes that are no more, and no digits', async () => {
    const its = schema([attribute('n', 'optional')])
    const json = '{"n":12345678901234567890.5,"gone":{"a":1}}'
    const provider = fakeProvider({ upgradeResourceState: () => ({ upgradedState: object({ n: '1' }) }) })
    await upgradeState(instanceOf(its), { ...stored, raw: { kind: 'json', json } }, provider)
    expect(provider.calls[0]!.request).toMatchObject({ rawState: { json: '{"n":12345678901234567890.5}' } })
  })

  test('of an older version leaves that to the provider', async () => {
    const json = '{"gone":1}'
    const provider = fakeProvider({ upgradeResourceState: () => ({ upgradedState: made }) })
    const newer = instanceOf({ ...thing, version: 2 })
    const upgraded = await upgradeState(newer, { ...stored, schemaVersion: 1, raw: { kind: 'json', json } }, provider)
    expect(provider.calls[0]!.request).toMatchObject({ version: 1, rawState: { json } })
    expect(upgraded).toMatchObject({ state: { schemaVersion: 2 } })
  })

  test.each<[string, StoredInstance, object, string]>([
    ['a newer state', { ...stored, schemaVersion: 3 }, {}, 'Resource instance managed by newer provider version'],
    ['no state', stored, { upgradedState: null }, 'Invalid resource state upgrade'],
    [
      'a write-only value',
      stored,
      { upgradedState: objectOf(thing, { secret: 's' }) },
      'Invalid resource state upgrade',
    ],
    ['an error', stored, failing, 'No access'],
  ])('refuses %s', async (_, its, answer, summary) => {
    const result = await upgradeState(instanceOf(), its, fakeProvider({ upgradeResourceState: () => answer }))
    expect(result).toMatchObject({ kind: 'failed', diagnostics: [{ summary }] })
  })

  test('of an identity asks only when it is older', async () => {
    const identitySchema = {
      version: 1,
      attributes: [
        { name: 'arn', type: stringType, requiredForImport: true, optionalForImport: false, description: '' },
      ],
    }
    const provider = fakeProvider({
      upgradeResourceState: () => ({ upgradedState: made }),
      upgradeResourceIdentity: () => ({ upgradedIdentity: object({ arn: 'new' }) }),
    })
    const of = async (identitySchemaVersion: number) => {
      const its = { ...stored, rawIdentity: '{"arn":"old"}', identitySchemaVersion }
      return upgradeState({ ...instanceOf(), identitySchema }, its, provider)
    }
    expect(await of(1)).toMatchObject({ state: { identity: { arn: 'old' }, identitySchemaVersion: 1 } })
    expect(await of(0)).toMatchObject({ state: { identity: { arn: 'new' }, identitySchemaVersion: 1 } })
    expect(await of(2)).toMatchObject({ kind: 'failed' })
  })
})

describe('an import', () => {
  const found = { typeName: 'sim_thing', state: objectOf(thing, { id: '1' }), private: Uint8Array.of(2) }
  const byId = { kind: 'id', id: '1' } as const

  test('finds one object and reads it', async () => {
    const provider = fakeProvider({
      importResourceState: () => ({ importedResources: [found] }),
      readResource: ({ private: bytes }) => ({ newState: made, private: bytes! }),
    })
    const state = { value: made, private: Uint8Array.of(2), status: 'ready' }
    expect(await importState(instanceOf(), byId, provider)).toMatchObject({ kind: 'imported', state })
    expect(provider.calls[0]!.request).toMatchObject({ typeName: 'sim_thing', id: '1' })
  })

  test.each<[string, object, object, string]>([
    ['nothing', {}, {}, 'Import returned no resources'],
    ['two', { importedResources: [found, found] }, {}, 'Multiple import states not supported'],
    ['another type', { importedResources: [{ ...found, typeName: 'sim_other' }] }, {}, 'Import returned another type'],
    ['null', { importedResources: [{ ...found, state: null }] }, {}, 'Import returned null resource'],
    [
      'what is not there',
      { importedResources: [found] },
      { newState: null },
      'Cannot import non-existent remote object',
    ],
    ['an error', failing, {}, 'No access'],
  ])('refuses %s', async (_, imported, read, summary) => {
    const provider = fakeProvider({ importResourceState: () => imported, readResource: () => read })
    expect(await importState(instanceOf(), byId, provider)).toMatchObject({
      kind: 'failed',
      diagnostics: [{ summary }],
    })
  })
})

describe('a destruction', () => {
  const input = (more: object = {}) => ({
    ...instanceOf(),
    prior: stateOf(made),
    lifecycle: { preventDestroy: false, destroy: true },
    reason: 'delete_because_count_index' as const,
    ...more,
  })

  test('is planned without a provider that does not plan it', async () => {
    const provider = fakeProvider()
    expect(await planDestroy(input(), provider)).toMatchObject({
      action: 'delete',
      before: made,
      after: null,
      plannedPrivate: Uint8Array.of(1),
      reason: 'delete_because_count_index',
    })
    expect(provider.calls).toEqual([])
  })

  test('is planned with a provider that does', async () => {
    const provider = fakeProvider({
      planResourceChange: () => plan({ plannedState: null, plannedPrivate: Uint8Array.of(6) }),
    })
    const planned = await planDestroy(input({ capabilities: { planDestroy: true } }), provider)
    expect(planned).toMatchObject({ action: 'delete', plannedPrivate: Uint8Array.of(6) })
    expect(provider.calls[0]!.request).toMatchObject({ priorState: made, proposedNewState: null, config: null })
  })

  test('forgets what is not to be destroyed', async () => {
    const provider = fakeProvider()
    const lifecycle = { preventDestroy: true, destroy: false }
    expect(await planDestroy(input({ lifecycle, capabilities: { planDestroy: true } }), provider)).toMatchObject({
      action: 'forget',
    })
    expect(provider.calls).toEqual([])
  })

  test.each<[string, object, object, string]>([
    ['what is protected', { lifecycle: { preventDestroy: true, destroy: true } }, {}, 'Instance cannot be destroyed'],
    ['what the provider forbids', {}, failing, 'No access'],
    ['what the provider keeps', {}, { plannedState: made }, 'Provider produced invalid plan'],
  ])('refuses %s', async (_, more, answer, summary) => {
    const provider = fakeProvider({ planResourceChange: () => answer })
    const result = await planDestroy(input({ capabilities: { planDestroy: true }, ...more }), provider)
    expect(result).toMatchObject({ kind: 'failed', diagnostics: [{ summary }] })
  })
})

describe('a data source', () => {
  const its = schema([attribute('name', 'required'), attribute('id', 'computed')])
  const input = (config: Value, dependencyPending = false) => ({
    ...instanceOf(its),
    config,
    configSensitive: [at('name')],
    dependencyPending,
  })
  const known = objectOf(its, { name: 'a' })

  test('is read at once when all is known', () => {
    expect(planDataSource(input(known))).toEqual({ kind: 'read-now' })
  })

  test.each<[string, Value, boolean, string]>([
    ['with an unknown', objectOf(its, { name: unknown }), true, 'read_because_config_unknown'],
    ['after a change', known, true, 'read_because_dependency_pending'],
  ])('waits %s', (_, config, pending, reason) => {
    const change = planDataSource(input(config, pending))
    expect(change).toMatchObject({ action: 'read', before: null, reason, afterSensitive: [at('name')] })
    expect(change).toMatchObject({ after: valueObject({ ...(config as object), id: unknown }) })
  })

  test('gives what the provider reads', async () => {
    const value = objectOf(its, { name: 'a', id: '1' })
    const read = await readDataSource(input(known), fakeProvider({ readDataSource: () => ({ state: value }) }))
    expect(read).toMatchObject({ kind: 'read', value })
  })

  test.each<[string, object, object, string]>([
    ['an invalid configuration', failing, {}, 'No access'],
    ['null', {}, { state: null }, 'Provider produced null object'],
    ['unknown values', {}, { state: objectOf(its, { id: unknown }) }, 'Provider produced invalid object'],
    ['an error', {}, failing, 'No access'],
  ])('refuses %s', async (_, validity, answer, summary) => {
    const provider = fakeProvider({ validateDataResourceConfig: () => validity, readDataSource: () => answer })
    expect(await readDataSource(input(known), provider)).toMatchObject({ kind: 'failed', diagnostics: [{ summary }] })
  })
})

test('numbers are compared by what they are', async () => {
  const its = schema([attribute('n', 'optional')])
  const one = stateOf(object({ n: Decimal.parse('1.0')! }))
  const provider = fakeProvider({ readResource: () => ({ newState: object({ n: Decimal.fromInteger(1) }) }) })
  expect(await refreshState(instanceOf(its), one, provider)).toMatchObject({ drift: 'none' })
})
