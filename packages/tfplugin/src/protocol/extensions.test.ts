import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectGrpc, type GrpcHandler, GrpcServer } from '../grpc/index.ts'
import { stringType, type Value, valueObject } from '../value/index.ts'
import { batchToBytes, extensionPaths, outcomesFromBytes } from './extensions.ts'
import { connectExtensions } from './extensions-client.ts'
import { extensionHandlers } from './extensions-server.ts'
import type { ProviderSchema } from './messages.ts'
import { createProviderClient } from './provider-client.ts'
import { providerHandlers } from './provider-server.ts'

const words = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const
const flags = { required: true, optional: false, computed: false, sensitive: false, writeOnly: false }
const block = {
  attributes: [{ name: 'a', shape: { kind: 'plain', type: stringType }, ...flags, ...words }],
  blocks: [],
  ...words,
} as const
const schema: ProviderSchema = {
  provider: { version: 0, block },
  resources: new Map([['t_thing', { version: 0, block }]]),
  dataSources: new Map(),
  ephemeralResources: new Map(),
  listResources: new Map(),
  actions: new Map(),
  functions: new Map(),
  serverCapabilities: {
    planDestroy: true,
    getProviderSchemaOptional: true,
    moveResourceState: false,
    generateResourceConfig: false,
  },
  diagnostics: [],
}
const extensions = new Map([
  [
    't_thing',
    {
      idempotentApply: true,
      readMany: true,
      planMany: false,
      applyMany: false,
      validateMany: false,
      deterministicPlan: true,
    },
  ],
])
const nothing = () => Promise.resolve([])

async function serve(handlers: Map<string, GrpcHandler>) {
  const directory = mkdtempSync(join(tmpdir(), 'extensions-'))
  const server = new GrpcServer(handlers)
  const listener = createServer((socket) => server.accept(socket))
  await new Promise<void>((resolve) => listener.listen(join(directory, 's'), resolve))
  onTestFinished(() => {
    server.destroy()
    listener.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const grpc = await connectGrpc({ kind: 'unix', path: join(directory, 's') })
  return { grpc, provider: createProviderClient(grpc, 6) }
}

test('a provider without the service has no extensions', async () => {
  const { grpc, provider } = await serve(providerHandlers({}, { schema }))
  expect(await connectExtensions(grpc, provider)).toBeUndefined()
})

test('a batch keeps its order, and a message that can not be decoded or encoded fails alone', async () => {
  const handlers = extensionHandlers(
    extensions,
    {
      readMany: async (requests) =>
        requests.map(({ currentState }) => {
          const { a } = currentState as { readonly a: Value }
          // The response does not match the type, so it can't be encoded.
          const newState = a === 'wrong' ? valueObject({ a: true }) : currentState
          return { newState, private: new Uint8Array(0), diagnostics: [] }
        }),
      planMany: nothing,
      applyMany: nothing,
      validateMany: nothing,
    },
    { schema },
  )
  const { grpc, provider } = await serve(new Map([...providerHandlers({}, { schema }), ...handlers]))
  const client = (await connectExtensions(grpc, provider))!
  expect(client.extensions).toEqual(extensions)
  const requests = ['x', 'wrong', 'y'].map((a) => ({ typeName: 't_thing', currentState: valueObject({ a }) }))
  const outcomes = await client.readMany(requests)
  expect(outcomes).toMatchObject([
    { kind: 'answered', answer: { newState: { a: 'x' } } },
    { kind: 'failed', reason: expect.stringContaining('a string is required') },
    { kind: 'answered', answer: { newState: { a: 'y' } } },
  ])
  const garbage = await grpc.unary(extensionPaths.readMany, batchToBytes([new Uint8Array([0xff, 0xff])]))
  expect(outcomesFromBytes(garbage)).toMatchObject([{ kind: 'failed' }])
  const unanswered = await client.planMany(
    requests.map((one) => ({ ...one, priorState: null, proposedNewState: null, config: null })),
  )
  expect(unanswered).toMatchObject(
    requests.map(() => ({ kind: 'failed', reason: 'the provider returned no response for this request' })),
  )
})
