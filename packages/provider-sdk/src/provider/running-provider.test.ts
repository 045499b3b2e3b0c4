import { once } from 'node:events'
import type { ProviderService } from '@hykube/tfplugin/protocol'
import { Decimal, equalValues, unknown, type Value, type ValueObject, valueObject } from '@hykube/tfplugin/value'
import { expect, expectTypeOf, test } from 'vitest'
import { writeContent } from './content-values.ts'
import { defineFunction, defineProvider, definitionsFor, type ProviderDefinition } from './define.ts'
import { ProviderFailure } from './failure.ts'
import type { Logger } from './operation.ts'
import type { ResourceDefinition } from './resource.ts'
import { RunningProvider } from './running-provider.ts'
import { attribute } from './schema/attribute.ts'
import { block } from './schema/block.ts'
import { schema } from './schema/schema.ts'
import { valueType } from './schema/value-type.ts'
import { proposedNew } from './testing/proposed-new.ts'
import type { Config, Planned, State } from './views.ts'

const { resource, dataSource, ephemeral, list } = definitionsFor<Map<string, string>>()

const noteSchema = schema({
  version: 2,
  attributes: {
    id: attribute.string({ computed: true, useStateForUnknown: true }),
    text: attribute.string({
      required: true,
      validate: (value) => (value === '' ? 'It must not be empty.' : undefined),
    }),
    lines: attribute.number({ default: 1 }),
    secret: attribute.string({ optional: true, writeOnly: true }),
    labels: attribute.map(valueType.string, { optional: true }),
  },
  blocks: {
    rules: block.list({ attributes: { port: attribute.number({ required: true }) } }),
  },
})

const note: ResourceDefinition<typeof noteSchema, Map<string, string>> = resource({
  schema: noteSchema,
  idempotent: true,
  async create({ planned, config, token, client, private: kept, warn }) {
    if (planned.text === 'explode') throw new Error('it exploded')
    if (planned.text === 'half')
      throw new ProviderFailure('Half done', {
        detail: 'try again',
        place: ['rules', 0, 'port'],
        state: { ...planned, id: 'half' },
      })
    kept.set('secret length', config.secret?.length ?? 0)
    warn('Made', { place: ['labels', 'a'] })
    client.set(token, planned.text)
    return { ...planned, id: token }
  },
  async read({ state, client }) {
    const text = client.get(state.id)
    return text === undefined ? null : { ...state, text }
  },
  async update({ planned, prior, client }) {
    client.set(prior.id, planned.text)
    return { ...planned, id: prior.id }
  },
  async delete({ prior, client }) {
    if (!client.delete(prior.id)) throw new Error('there is none')
  },
  async readMany(operations) {
    return operations.map(({ state, client }) => {
      const text = client.get(state.id)
      if (text === 'broken') return new ProviderFailure('Unreadable')
      return text === undefined ? null : { ...state, text }
    })
  },
  validate({ config, fail, warn }) {
    if (config.text === 'bad') fail('Bad text', { detail: 'choose another', place: ['text'] })
    if (config.text === 'odd') warn('Odd text')
  },
  upgrade: {
    0: ({ body, ...rest }) => ({ ...rest, content: body }),
    1: ({ content, ...rest }) => ({ ...rest, text: content }),
  },
  identity: {
    attributes: { id: { type: valueType.string, forImport: 'required' } },
    of: ({ id }) => ({ id }),
  },
  list: list(noteSchema, {
    schema: schema({ attributes: { prefix: attribute.string({ optional: true }) } }),
    async *list({ client, config }) {
      for (const [id, text] of client) {
        if (text.startsWith(config.prefix ?? ''))
          yield { displayName: text, state: { id, text, lines: 1, secret: null, labels: null, rules: [] } }
      }
    },
  }),
})

const fixed = resource({
  schema: schema({
    attributes: {
      id: attribute.string({ computed: true }),
      big: attribute.decimal({ required: true }),
      small: attribute.number({ optional: true }),
    },
  }),
  create: async ({ planned }) => ({ ...planned, id: 'x' }),
  read: async ({ state }) => state,
  delete: async () => {},
  modifyPlan: ({ planned, prior, requiresReplace }) => {
    if (prior !== null && planned.small === 13) requiresReplace(['small'])
    return planned.small === 7 ? { ...planned, id: 'seven' } : planned
  },
})

let closed = ''
const provider = defineProvider({
  name: 't',
  version: '1.0.0',
  schema: schema({ attributes: { first: attribute.string({ default: 'hello' }) } }),
  configure: ({ config }) => new Map([['n-1', config.first]]),
  resources: { t_note: note, t_fixed: fixed },
  dataSources: {
    t_word: dataSource({
      schema: schema({
        attributes: { key: attribute.string({ required: true }), word: attribute.string({ computed: true }) },
      }),
      async read({ config, client }) {
        const word = client.get(config.key)
        if (word === undefined) throw new ProviderFailure('No such word', { place: ['key'] })
        return { ...config, word }
      },
    }),
  },
  ephemeralResources: {
    t_lease: ephemeral({
      schema: schema({
        attributes: { ttl: attribute.number({ required: true }), token: attribute.string({ computed: true }) },
      }),
      async open({ config, private: kept }) {
        kept.set('ttl', config.ttl)
        return { result: { ...config, token: 'abc' }, renewAt: new Date(config.ttl * 1000) }
      },
      renew: async ({ private: kept }) => new Date(Number(kept.get('ttl')) * 2000),
      close: async ({ private: kept }) => {
        closed = String(kept.get('ttl'))
      },
    }),
  },
  functions: {
    repeat: defineFunction({
      parameters: { text: { type: valueType.string }, times: { type: valueType.number } },
      variadic: { name: 'rest', type: valueType.string },
      returns: valueType.string,
      call: ({ text, times }, rest) => [text.repeat(times), ...rest].join(' '),
    }),
  },
})

const silent: Logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const context = { signal: new AbortController().signal, headers: [] }

async function started(
  definition: ProviderDefinition = provider,
): Promise<{ service: Required<ProviderService>; running: RunningProvider }> {
  const running = new RunningProvider(definition, silent)
  const service = running.service() as Required<ProviderService>
  await service.configureProvider({ terraformVersion: '1.12.0', config: valueObject({ first: null }) }, context)
  return { service, running }
}

async function planned(
  service: Required<ProviderService>,
  given: object,
  prior: ValueObject | null = null,
  kept?: Uint8Array,
) {
  const config = writeContent(noteSchema, given)
  const change = { typeName: 't_note', priorState: prior, config }
  const proposedNewState = proposedNew(noteSchema, prior, config)
  const answer = await service.planResourceChange(
    { ...change, proposedNewState, ...(kept !== undefined && { priorPrivate: kept }) },
    context,
  )
  return { request: { ...change, plannedState: answer.plannedState!, plannedPrivate: answer.plannedPrivate }, answer }
}

test('creates, reads, updates and deletes an object', async () => {
  const { service } = await started()
  const { request } = await planned(service, { text: 'a', secret: 'xyz', labels: { a: 'b' } })
  const made = await service.applyResourceChange(request, context)
  const state = made.newState as ValueObject
  expect(state).toMatchObject({ text: 'a', lines: Decimal.fromInteger(1), secret: null })
  expect(new TextDecoder().decode(made.private)).toBe('{"data":{"secret length":3}}')
  expect(made.newIdentity).toEqual(valueObject({ id: state.id! }))
  expect(made.diagnostics).toMatchObject([{ severity: 'warning', summary: 'Made', path: 'labels["a"]' }])

  const read = await service.readResource({ typeName: 't_note', currentState: state, private: made.private }, context)
  expect(equalValues(read.newState!, state)).toBe(true)
  expect(read.private).toEqual(made.private)
  const same = await planned(service, { text: 'a', labels: { a: 'b' } }, state, made.private)
  expect(equalValues(same.answer.plannedState!, state)).toBe(true)
  expect(same.answer.plannedPrivate).toEqual(made.private)

  const change = await planned(service, { text: 'b' }, state, made.private)
  const changed = await service.applyResourceChange(change.request, context)
  expect(changed.newState).toMatchObject({ text: 'b', id: state.id })

  const gone = { typeName: 't_note', priorState: changed.newState!, plannedState: null, config: null }
  expect((await service.applyResourceChange(gone, context)).newState).toBeNull()
  const again = await service.applyResourceChange(gone, context)
  expect(again.newState).toEqual(changed.newState)
  expect(again.diagnostics).toMatchObject([
    { severity: 'error', summary: 'Cannot delete t_note', detail: 'there is none' },
  ])
  const after = await service.readResource({ typeName: 't_note', currentState: state }, context)
  expect(after.newState).toBeNull()
})

test('a retried apply of a plan has the same token, and another plan has another', async () => {
  const { service } = await started()
  const first = await planned(service, { text: 'a' })
  const ids = []
  for (const { request } of [first, first, await planned(service, { text: 'a' })]) {
    ids.push(((await service.applyResourceChange(request, context)).newState as ValueObject).id)
  }
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('a failed create returns no state, or the state in the failure', async () => {
  const { service } = await started()
  const exploded = await service.applyResourceChange((await planned(service, { text: 'explode' })).request, context)
  expect(exploded).toMatchObject({
    newState: null,
    diagnostics: [{ summary: 'Cannot create t_note', detail: 'it exploded' }],
  })
  const half = await planned(service, { text: 'half', rules: [{ port: 1 }] })
  expect(await service.applyResourceChange(half.request, context)).toMatchObject({
    newState: { id: 'half', text: 'half' },
    diagnostics: [{ severity: 'error', summary: 'Half done', detail: 'try again', path: 'rules[0].port' }],
  })
})

test('validates known values by attribute and by type', async () => {
  const { service } = await started()
  const check = async (given: object, writeOnlyAttributesAllowed = true) => {
    const config = writeContent(noteSchema, given)
    const clientCapabilities = { writeOnlyAttributesAllowed }
    return (await service.validateResourceConfig({ typeName: 't_note', config, clientCapabilities }, context))
      .diagnostics
  }
  expect(await check({ text: '' })).toMatchObject([{ summary: 'Invalid value', path: 'text' }])
  expect(await check({ text: 'bad' })).toMatchObject([{ severity: 'error', summary: 'Bad text', path: 'text' }])
  expect(await check({ text: 'odd' })).toMatchObject([{ severity: 'warning' }])
  expect(await check({ text: unknown })).toEqual([])
  expect(await check({ text: 'a', secret: 's' }, false)).toMatchObject([{ path: 'secret' }])
})

test('rejects a number that a double would round, and keeps it as a decimal', async () => {
  const { service } = await started()
  const big = Decimal.parse('12345678901234567890123')!
  const config = valueObject({ id: null, big, small: null })
  const change = { typeName: 't_fixed', priorState: null, config }
  const { plannedState, plannedPrivate } = await service.planResourceChange(
    { ...change, proposedNewState: config },
    context,
  )
  const made = await service.applyResourceChange({ ...change, plannedState: plannedState!, plannedPrivate }, context)
  expect(made.newState).toMatchObject({ big })
  const wrong = valueObject({ id: null, big, small: big })
  const { diagnostics } = await service.validateResourceConfig({ typeName: 't_fixed', config: wrong }, context)
  expect(diagnostics).toMatchObject([{ severity: 'error', path: 'small' }])
})

test('replaces a type without update, and calls modifyPlan', async () => {
  const { service } = await started()
  const prior = valueObject({ id: 'x', big: Decimal.zero, small: null })
  const plan = async (small: number) => {
    const config = valueObject({ id: null, big: Decimal.zero, small: Decimal.fromInteger(small) })
    const proposedNewState = valueObject({ ...config, id: 'x' })
    return service.planResourceChange({ typeName: 't_fixed', priorState: prior, config, proposedNewState }, context)
  }
  const seven = await plan(7)
  expect(seven.plannedState).toMatchObject({ id: 'seven' })
  expect(seven.requiresReplace).toEqual([[{ kind: 'attribute', name: 'id' }], [{ kind: 'attribute', name: 'small' }]])
  expect((await plan(13)).requiresReplace).toContainEqual([{ kind: 'attribute', name: 'small' }])
})

test.each([
  [0, '{"id":"n","body":"old","gone":1}', { id: 'n', text: 'old' }],
  [1, '{"id":"n","content":"newer"}', { id: 'n', text: 'newer' }],
  [
    2,
    '{"id":"n","text":"now","lines":12345678901234567890,"other":{"a":1}}',
    { lines: Decimal.parse('12345678901234567890') },
  ],
])('upgrades a state of version %i', async (version, json, expected) => {
  const { service } = await started()
  const request = { typeName: 't_note', version, rawState: { kind: 'json' as const, json } }
  const { upgradedState, diagnostics } = await service.upgradeResourceState(request, context)
  expect(diagnostics).toEqual([])
  expect(upgradedState).toMatchObject(expected)
})

test('rejects a state of a later version', async () => {
  const { service } = await started()
  const rawState = { kind: 'json' as const, json: '{}' }
  const answer = await service.upgradeResourceState({ typeName: 't_note', version: 3, rawState }, context)
  expect(answer).toMatchObject({
    diagnostics: [{ severity: 'error', summary: 'State was written by a newer provider' }],
  })
})

test('imports objects by id and by identity, and lists them', async () => {
  const { service } = await started()
  const byId = await service.importResourceState({ typeName: 't_note', id: 'n-1' }, context)
  const identity = valueObject({ id: 'n-1' })
  const byIdentity = await service.importResourceState({ typeName: 't_note', identity }, context)
  expect(byIdentity.importedResources[0]!.state).toEqual(byId.importedResources[0]!.state)
  const currentState = byId.importedResources[0]!.state
  const { newState } = await service.readResource({ typeName: 't_note', currentState }, context)
  expect(newState).toMatchObject({ id: 'n-1', text: 'hello' })
  const listed = async (prefix: Value) => {
    const config = valueObject({ prefix })
    const request = { typeName: 't_note', config, includeResourceObject: true, limit: 0 }
    return Array.fromAsync(service.listResource(request, context))
  }
  expect(await listed(null)).toMatchObject([
    { displayName: 'hello', identity: { id: 'n-1' }, resourceObject: { text: 'hello' } },
  ])
  expect(await listed('x')).toEqual([])
})

test('data sources, ephemeral resources and functions answer', async () => {
  const { service } = await started()
  const look = (key: string) =>
    service.readDataSource({ typeName: 't_word', config: valueObject({ key, word: null }) }, context)
  expect(await look('n-1')).toMatchObject({ state: { key: 'n-1', word: 'hello' }, diagnostics: [] })
  expect(await look('no')).toMatchObject({ diagnostics: [{ summary: 'No such word', path: 'key' }] })

  const config = valueObject({ ttl: Decimal.fromInteger(60), token: null })
  const open = await service.openEphemeralResource({ typeName: 't_lease', config }, context)
  expect(open).toMatchObject({ result: { token: 'abc' }, renewAt: 60_000 })
  const held = { typeName: 't_lease', private: open.private! }
  expect(await service.renewEphemeralResource(held, context)).toMatchObject({ renewAt: 120_000 })
  await service.closeEphemeralResource(held, context)
  expect(closed).toBe('60')

  const args = ['ab', Decimal.fromInteger(2), 'c', 'd']
  expect(await service.callFunction({ name: 'repeat', arguments: args }, context)).toEqual({ result: 'abab c d' })
  const huge = ['ab', Decimal.parse('1.00000000000000000000001')!]
  expect(await service.callFunction({ name: 'repeat', arguments: huge }, context)).toMatchObject({
    error: { functionArgument: 1 },
  })
})

test('answers a batch in order, and a failure affects only its own request', async () => {
  const { service, running } = await started()
  const made = await Promise.all(
    ['a', 'broken', 'c'].map(async (text) => {
      const { request } = await planned(service, { text })
      return (await service.applyResourceChange(request, context)).newState as ValueObject
    }),
  )
  const gone = valueObject({ ...made[0], id: 'gone' })
  const requests = [...made, gone].map((currentState) => ({ typeName: 't_note', currentState }))
  const [a, broken, c, none] = await running.extensions().readMany(requests, context)
  expect([a, c]).toMatchObject([{ newState: { text: 'a' } }, { newState: { text: 'c' } }])
  expect(broken).toMatchObject({ newState: made[1], diagnostics: [{ summary: 'Unreadable' }] })
  expect(none).toMatchObject({ newState: null, diagnostics: [] })

  const plans = await Promise.all(['x', 'explode', 'y'].map((text) => planned(service, { text })))
  const applied = await running.extensions().applyMany(
    plans.map(({ request }) => request),
    context,
  )
  expect(applied.map(({ diagnostics }) => diagnostics[0]!.summary)).toEqual(['Made', 'Cannot create t_note', 'Made'])
})

test('aborts all operations of a batch when the host stops the provider', async () => {
  const patient = resource({
    ...note,
    async applyMany(operations) {
      const ended = operations.map(({ signal }) => once(signal, 'abort'))
      await service.stopProvider({}, context)
      await Promise.all(ended)
      return operations.map(({ signal }) => signal.reason)
    },
  })
  const { running, service } = await started({ ...provider, resources: { t_note: patient as ResourceDefinition } })
  const plans = await Promise.all(Array.from({ length: 20 }, (_, i) => planned(service, { text: `${i}` })))
  const requests = plans.map(({ request }) => request)
  for (const { diagnostics } of await running.extensions().applyMany(requests, context))
    expect(diagnostics).toMatchObject([{ detail: 'the host stops the provider' }])
})

test('only validation works before the configuration is known', async () => {
  const running = new RunningProvider(provider, silent)
  const service = running.service() as Required<ProviderService>
  const config = valueObject({ first: unknown })
  const answer = await service.configureProvider({ terraformVersion: '1.12.0', config }, context)
  expect(answer.diagnostics).toMatchObject([{ severity: 'warning' }])
  const state = writeContent(noteSchema, { id: 'n-1', text: 'a' })
  const read = await service.readResource({ typeName: 't_note', currentState: state }, context)
  expect(read).toMatchObject({ newState: state, diagnostics: [{ summary: 'Provider not configured' }] })
})

test('types follow from the schema', () => {
  expectTypeOf<Config<typeof noteSchema>['text']>().toEqualTypeOf<string>()
  expectTypeOf<Config<typeof noteSchema>['id']>().toEqualTypeOf<null>()
  expectTypeOf<Config<typeof noteSchema>['secret']>().toEqualTypeOf<string | null>()
  expectTypeOf<State<typeof noteSchema>['secret']>().toEqualTypeOf<null>()
  expectTypeOf<State<typeof noteSchema>['lines']>().toEqualTypeOf<number>()
  expectTypeOf<State<typeof noteSchema>['labels']>().toEqualTypeOf<Readonly<Record<string, string>> | null>()
  expectTypeOf<State<typeof noteSchema>['rules'][number]['port']>().toEqualTypeOf<number>()
  expectTypeOf<string>().toExtend<Planned<typeof noteSchema>['id']>()
  expectTypeOf<Planned<typeof noteSchema>['id']>().not.toExtend<string>()
})

test.each([
  ['a type of another name', () => defineProvider({ ...provider, resources: { other_thing: note } as never })],
  ['an attribute that is nothing', () => schema({ attributes: { a: attribute.string({}) } })],
  ['required and computed', () => schema({ attributes: { a: attribute.string({ required: true, computed: true }) } })],
  [
    'write-only and computed',
    () => schema({ attributes: { a: attribute.string({ writeOnly: true, computed: true }) } }),
  ],
  ['a name in capitals', () => schema({ attributes: { Name: attribute.string({ optional: true }) } })],
  [
    'a dynamic attribute in a block',
    () =>
      schema({
        attributes: {},
        blocks: { b: block.list({ attributes: { a: attribute.dynamic({ optional: true }) } }) },
      }),
  ],
])('%s is rejected when the provider is defined', (_, make) => {
  expect(make).toThrow(/^cannot (create|define)/)
})
