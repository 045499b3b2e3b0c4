import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectGrpc, type GrpcHandler, GrpcServer } from '../grpc/index.ts'
import {
  type Attribute,
  type Block,
  emptyBlock,
  type IdentitySchema,
  type NestedBlock,
  type Nesting,
} from '../schema/index.ts'
import {
  boolType,
  Decimal,
  dynamicType,
  listType,
  numberType,
  stringType,
  type Type,
  Typed,
  unknown,
  type Value,
  valueObject,
} from '../value/index.ts'
import type { ProviderSchema } from './messages.ts'
import { createProviderClient, ProviderAnswerError, type ProviderClientOptions } from './provider-client.ts'
import { type ProviderService, providerHandlers } from './provider-server.ts'
import { converterOf, rpcPath } from './rpc.ts'
import { unaryRpcs } from './rpcs.ts'
import type { ProtocolVersion } from './schema-wire.ts'

const words = {
  description: 'a *word*',
  descriptionKind: 'markdown',
  deprecated: true,
  deprecationMessage: 'use b',
} as const
const no = { required: false, optional: false, computed: false, sensitive: false, writeOnly: false }

function attribute(name: string, type: Type, flags: Partial<Attribute> = {}): Attribute {
  return { name, shape: { kind: 'plain', type }, ...no, ...words, ...flags }
}

function nestedBlock(name: string, nesting: Nesting, block: Block): NestedBlock {
  return { name, nesting, block, minItems: 1, maxItems: 5 }
}

const leaf: Block = { attributes: [attribute('port', numberType, { required: true })], blocks: [], ...words }
const nestings = ['single', 'group', 'list', 'set', 'map'] as const

function resourceBlock(version: ProtocolVersion): Block {
  const nested = (['single', 'list', 'set', 'map'] as const).map((nesting) => ({
    ...attribute(`nested_${nesting}`, stringType, { optional: true }),
    shape: { kind: 'nested', nesting, attributes: [attribute('on', boolType, { optional: true })] } as const,
  }))
  return {
    attributes: [
      attribute('id', stringType, { computed: true }),
      attribute('secret', stringType, { optional: true, sensitive: true, writeOnly: true }),
      attribute('any', dynamicType, { optional: true }),
      ...(version === 6 ? nested : []),
    ],
    blocks: nestings.map((nesting) => nestedBlock(`block_${nesting}`, nesting, leaf)),
    ...words,
  }
}

const capabilities = {
  planDestroy: true,
  getProviderSchemaOptional: true,
  moveResourceState: false,
  generateResourceConfig: true,
}
const parameter = {
  name: 'p',
  type: numberType,
  allowNull: true,
  allowUnknown: false,
  description: 'd',
  descriptionKind: 'plain',
} as const

function schemaFor(version: ProtocolVersion): ProviderSchema {
  const schema = { version: 3, block: resourceBlock(version) }
  const plain = { version: 0, block: leaf }
  return {
    provider: plain,
    providerMeta: plain,
    resources: new Map([
      ['t_thing', schema],
      ['t_other', plain],
    ]),
    dataSources: new Map([['t_data', plain]]),
    ephemeralResources: new Map([['t_token', plain]]),
    listResources: new Map([['t_thing', plain]]),
    actions: new Map([['t_act', plain]]),
    functions: new Map([
      [
        'join',
        {
          parameters: [parameter],
          variadicParameter: { ...parameter, name: 'rest', type: stringType },
          returnType: listType(stringType),
          summary: 's',
          description: 'd',
          descriptionKind: 'markdown',
          deprecationMessage: '',
        },
      ],
    ]),
    serverCapabilities: capabilities,
    diagnostics: [],
  }
}

const identitySchemas = new Map<string, IdentitySchema>([
  [
    't_thing',
    {
      version: 2,
      attributes: [
        { name: 'arn', type: stringType, requiredForImport: true, optionalForImport: false, description: 'the name' },
      ],
    },
  ],
])

const identity = valueObject({ arn: 'arn:1' })
const port = valueObject({ port: Decimal.fromInteger(80) })
const privateBytes = new Uint8Array([1, 2, 3])
const diagnostics = [
  {
    severity: 'error',
    summary: 'no',
    detail: 'because',
    path: 'rules[0].tags["a b"]',
    attribute: [
      { kind: 'attribute', name: 'rules' },
      { kind: 'index', index: 0 },
      { kind: 'attribute', name: 'tags' },
      { kind: 'key', key: 'a b' },
    ],
  },
  { severity: 'warning', summary: 'hm' },
] as const

function thing(version: ProtocolVersion): Value {
  const nested =
    version === 5
      ? {}
      : { nested_list: [valueObject({ on: true })], nested_map: valueObject({ k: valueObject({ on: null }) }) }
  return valueObject({
    ...emptyBlock(resourceBlock(version)),
    id: unknown,
    any: new Typed(listType(numberType), [Decimal.parse('12345678901234567890')!]),
    block_set: [port],
    block_map: valueObject({ a: port }),
    ...nested,
  })
}

describe.each([5, 6] as const)('protocol %i', (version) => {
  const state = thing(version)

  /** Calls a provider that returns the given response, and returns both the request it received and the response. */
  async function asked<K extends keyof ProviderService>(
    name: K,
    answer: unknown,
    request: unknown,
  ): Promise<[unknown, unknown]> {
    let seen: unknown
    const service = {
      [name]: (given: unknown) => {
        seen = given
        return Promise.resolve(answer)
      },
    } as ProviderService
    const client = await connectedTo(
      providerHandlers(service, { schema: schemaFor(version), identitySchemas, version }),
      version,
    )
    const call = client[name] as (request: unknown) => Promise<unknown>
    return [await call(request), seen]
  }

  test('a schema is decoded completely', async () => {
    const client = await connectedTo(
      providerHandlers({}, { schema: schemaFor(version), identitySchemas, version }),
      version,
    )
    expect(await client.schema()).toEqual(schemaFor(version))
    expect(await client.identitySchemas()).toEqual(identitySchemas)
  })

  const deferred = 'absent-prerequisite'
  const answers: [keyof ProviderService, unknown, unknown][] = [
    [
      'getMetadata',
      {},
      {
        serverCapabilities: capabilities,
        resources: ['a'],
        dataSources: ['b'],
        functions: ['c'],
        ephemeralResources: ['d'],
        listResources: ['e'],
        actions: ['f'],
        diagnostics,
      },
    ],
    ['validateProviderConfig', { config: port }, { diagnostics }],
    [
      'configureProvider',
      {
        terraformVersion: '1.12.0',
        config: port,
        clientCapabilities: { deferralAllowed: true, writeOnlyAttributesAllowed: true },
      },
      { diagnostics },
    ],
    ['stopProvider', {}, { error: 'busy' }],
    ['validateResourceConfig', { typeName: 't_thing', config: state }, { diagnostics }],
    ['validateDataResourceConfig', { typeName: 't_data', config: port }, { diagnostics }],
    ['validateEphemeralResourceConfig', { typeName: 't_token', config: port }, { diagnostics }],
    [
      'validateListResourceConfig',
      { typeName: 't_thing', config: port, includeResourceObject: true, limit: Decimal.fromInteger(5) },
      { diagnostics },
    ],
    [
      'upgradeResourceState',
      { typeName: 't_thing', version: 2, rawState: { kind: 'json', json: '{"a":1}' } },
      { upgradedState: state, diagnostics },
    ],
    [
      'upgradeResourceState',
      { typeName: 't_thing', version: 0, rawState: { kind: 'flatmap', flatmap: { 'a.#': '1' } } },
      { upgradedState: null, diagnostics: [] },
    ],
    [
      'upgradeResourceIdentity',
      { typeName: 't_thing', version: 1, rawIdentity: { kind: 'json', json: '{}' } },
      { upgradedIdentity: identity, diagnostics },
    ],
    [
      'readResource',
      {
        typeName: 't_thing',
        currentState: state,
        private: privateBytes,
        currentIdentity: identity,
        providerMeta: port,
      },
      { newState: null, private: privateBytes, newIdentity: identity, deferred, diagnostics },
    ],
    [
      'planResourceChange',
      {
        typeName: 't_thing',
        priorState: null,
        proposedNewState: state,
        config: state,
        priorPrivate: privateBytes,
        priorIdentity: identity,
      },
      {
        plannedState: state,
        requiresReplace: [diagnostics[0].attribute],
        plannedPrivate: privateBytes,
        plannedIdentity: identity,
        legacyTypeSystem: true,
        deferred,
        diagnostics,
      },
    ],
    [
      'applyResourceChange',
      {
        typeName: 't_thing',
        priorState: state,
        plannedState: null,
        config: null,
        plannedPrivate: privateBytes,
        plannedIdentity: identity,
      },
      { newState: state, private: privateBytes, newIdentity: identity, legacyTypeSystem: false, diagnostics: [] },
    ],
    [
      'importResourceState',
      { typeName: 't_thing', id: 'i-1' },
      {
        importedResources: [
          { typeName: 't_thing', state, private: privateBytes, identity },
          { typeName: 't_other', state: port, private: new Uint8Array(0) },
        ],
        deferred,
        diagnostics: [],
      },
    ],
    ['importResourceState', { typeName: 't_thing', identity }, { importedResources: [], diagnostics }],
    [
      'moveResourceState',
      {
        sourceProviderAddress: 'a/b/c',
        sourceTypeName: 'old',
        sourceSchemaVersion: 1,
        sourceState: { kind: 'json', json: '{}' },
        sourcePrivate: privateBytes,
        sourceIdentity: { kind: 'json', json: '{}' },
        sourceIdentitySchemaVersion: 4,
        targetTypeName: 't_thing',
      },
      { targetState: state, targetPrivate: privateBytes, targetIdentity: identity, diagnostics: [] },
    ],
    ['generateResourceConfig', { typeName: 't_thing', state }, { config: state, diagnostics }],
    [
      'readDataSource',
      { typeName: 't_data', config: port, providerMeta: port },
      { state: port, deferred, diagnostics: [] },
    ],
    [
      'openEphemeralResource',
      { typeName: 't_token', config: port },
      { result: port, renewAt: 1_790_000_000_123, private: privateBytes, diagnostics: [] },
    ],
    ['renewEphemeralResource', { typeName: 't_token', private: privateBytes }, { renewAt: 5, diagnostics: [] }],
    ['closeEphemeralResource', { typeName: 't_token' }, { diagnostics }],
    ['getFunctions', {}, { functions: schemaFor(6).functions, diagnostics: [] }],
    ['callFunction', { name: 'join', arguments: [Decimal.fromInteger(1), 'a', 'b'] }, { result: ['x'] }],
    ['callFunction', { name: 'join', arguments: [null] }, { error: { text: 'no', functionArgument: 0 } }],
    ['validateActionConfig', { actionType: 't_act', config: port }, { diagnostics }],
    ['planAction', { actionType: 't_act', config: port }, { deferred, diagnostics: [] }],
  ]
  test.each(answers)('%s', async (name, request, answer) => {
    const [received, seen] = await asked(name, answer, request)
    expect(received).toEqual(answer)
    expect(seen).toMatchObject(request as object)
  })

  test('streams list results and action progress', async () => {
    const listed = [
      { identity, displayName: 'one', resourceObject: state, diagnostics: [] },
      { displayName: '', diagnostics },
    ]
    const progress = [{ progress: { message: 'half' } }, { completed: { diagnostics } }]
    async function* each<T>(events: readonly T[]): AsyncGenerator<T> {
      yield* events
    }
    const service = {
      listResource: () => each(listed),
      invokeAction: () => each(progress),
    } as unknown as ProviderService
    const client = await connectedTo(
      providerHandlers(service, { schema: schemaFor(version), identitySchemas, version }),
      version,
    )
    const list = client.listResource({ typeName: 't_thing', config: port, includeResourceObject: true, limit: 10 })
    expect(await Array.fromAsync(list)).toEqual(listed)
    expect(await Array.fromAsync(client.invokeAction({ actionType: 't_act', config: port }))).toEqual(progress)
  })

  test('calls that a provider does not implement are UNIMPLEMENTED', async () => {
    const client = await connectedTo(providerHandlers({}, { schema: schemaFor(version), version }), version)
    await expect(client.getFunctions()).rejects.toMatchObject({ status: 'UNIMPLEMENTED' })
  })

  test('unknown names are rejected before anything is sent', async () => {
    const client = await connectedTo(providerHandlers({}, { schema: schemaFor(version), version }), version)
    await expect(client.readResource({ typeName: 't_none', currentState: null })).rejects.toThrow(
      'has no resource t_none',
    )
    await expect(client.validateResourceConfig({ typeName: 't_thing', config: 'x' })).rejects.toThrow(
      'an object is required',
    )
  })

  test('a response that does not match the schema is rejected with the path', async () => {
    const encode = converterOf({ newState: unaryRpcs.readResource.response.newState! }, version)
    const other = { subject: 't_other', types: () => ({ typeOf: () => ({ kind: 'string' }) }) as never }
    const handlers = providerHandlers({}, { schema: schemaFor(version), version })
    handlers.set(rpcPath(unaryRpcs.readResource, version), {
      kind: 'unary',
      handle: () => encode.encode({ newState: 'text' }, other),
    })
    const client = await connectedTo(handlers, version)
    const call = client.readResource({ typeName: 't_other', currentState: port })
    await expect(call).rejects.toThrow(ProviderAnswerError)
    await expect(call).rejects.toThrow(
      "the provider's answer to ReadResource about t_other is not what its schema says",
    )
  })

  test('a response of random bytes is rejected with a known error', async () => {
    let answer: Uint8Array = new Uint8Array(0)
    const handlers = providerHandlers({}, { schema: schemaFor(version), identitySchemas, version })
    handlers.set(rpcPath(unaryRpcs.planResourceChange, version), { kind: 'unary', handle: () => answer })
    const client = await connectedTo(handlers, version)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        answer = bytes
        const call = client.planResourceChange({
          typeName: 't_other',
          priorState: null,
          proposedNewState: port,
          config: port,
        })
        await call.catch((error: unknown) => expect(error).toBeInstanceOf(ProviderAnswerError))
      }),
      { numRuns: 200 },
    )
  })

  test('a request of random bytes ends with a status and does not crash', async () => {
    const handlers = providerHandlers(
      { readResource: async () => ({ private: privateBytes, diagnostics: [] }) },
      { schema: schemaFor(version), version },
    )
    const handler = handlers.get(rpcPath(unaryRpcs.readResource, version)) as Extract<GrpcHandler, { kind: 'unary' }>
    const context = { signal: new AbortController().signal, headers: [] }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 80 }), async (bytes) => {
        await Promise.resolve(handler.handle(bytes, context)).catch((error: unknown) =>
          expect(error).toMatchObject({ status: 'INVALID_ARGUMENT' }),
        )
      }),
    )
  })

  test.each([true, false])(
    'a cached schema is fetched again only if the provider requires it (optional: %s)',
    async (optional) => {
      let asks = 0
      const schema = {
        ...schemaFor(version),
        serverCapabilities: { ...capabilities, getProviderSchemaOptional: optional },
      }
      const getProviderSchema = () => {
        asks++
        return Promise.resolve(schema)
      }
      const handlers = providerHandlers(
        { getProviderSchema, validateProviderConfig: async () => ({ diagnostics: [] }) },
        { schema, version },
      )
      const client = await connectedTo(handlers, version, { schema })
      await Promise.all([
        client.validateProviderConfig({ config: port }),
        client.validateProviderConfig({ config: port }),
      ])
      expect(asks).toBe(optional ? 0 : 1)
    },
  )
})

async function connectedTo(
  handlers: Map<string, GrpcHandler>,
  version: ProtocolVersion,
  options?: ProviderClientOptions,
) {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-protocol-'))
  const path = join(directory, 's')
  const server = new GrpcServer(handlers)
  const listener = createServer((socket) => server.accept(socket))
  await new Promise<void>((resolve) => listener.listen(path, resolve))
  const grpc = await connectGrpc({ kind: 'unix', path })
  onTestFinished(() => {
    grpc.destroy()
    server.destroy()
    listener.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return createProviderClient(grpc, version, options)
}
