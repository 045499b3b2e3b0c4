import { GrpcError, type GrpcHandler, type ServerCallContext } from '../grpc/index.ts'
import { ValueError } from '../value/index.ts'
import type { IdentitySchemas, ProviderSchema, StreamRpcs, UnaryRpcs } from './messages.ts'
import { converterOf, type RpcDefinition, readRequest, rpcPath, type ScopedMessage } from './rpc.ts'
import { streamRpcs, unaryRpcs } from './rpcs.ts'
import { SchemaTypes } from './schema-types.ts'
import type { ProtocolVersion } from './schema-wire.ts'

/** Implementation of a provider. Missing methods are UNIMPLEMENTED. Calls may run concurrently. */
export type ProviderService = {
  readonly [K in keyof UnaryRpcs]?: (
    request: UnaryRpcs[K]['request'],
    context: ServerCallContext,
  ) => Promise<UnaryRpcs[K]['response']>
} & {
  readonly [K in keyof StreamRpcs]?: (
    request: StreamRpcs[K]['request'],
    context: ServerCallContext,
  ) => AsyncIterable<StreamRpcs[K]['response']>
}

export interface ProviderServiceOptions {
  readonly schema: ProviderSchema
  readonly identitySchemas?: IdentitySchemas['identitySchemas']
  /** Default 6. */
  readonly version?: ProtocolVersion
}

/** Builds the gRPC handlers of a provider. The two schema calls are answered from the options unless implemented. */
export function providerHandlers(service: ProviderService, options: ProviderServiceOptions): Map<string, GrpcHandler> {
  const { schema, identitySchemas = new Map(), version = 6 } = options
  const types = new SchemaTypes(schema, identitySchemas)
  const whole: ProviderService = {
    getProviderSchema: () => Promise.resolve(schema),
    getResourceIdentitySchemas: () => Promise.resolve({ identitySchemas, diagnostics: [] }),
    ...service,
  }
  const handlers = new Map<string, GrpcHandler>()
  const known = { version, types }
  for (const [name, rpc] of Object.entries(unaryRpcs)) {
    const answer = whole[name as keyof UnaryRpcs] as UnaryAnswer | undefined
    if (answer !== undefined) handlers.set(rpcPath(rpc, version), unaryHandler(rpc, answer, known))
  }
  for (const [name, rpc] of Object.entries(streamRpcs)) {
    const answer = whole[name as keyof StreamRpcs] as StreamAnswer | undefined
    if (answer !== undefined) handlers.set(rpcPath(rpc, version), streamHandler(rpc, answer, known))
  }
  return handlers
}

type Message = Readonly<Record<string, unknown>>
type UnaryAnswer = (request: Message, context: ServerCallContext) => Promise<Message>
type StreamAnswer = (request: Message, context: ServerCallContext) => AsyncIterable<Message>

interface Known {
  readonly version: ProtocolVersion
  readonly types: SchemaTypes
}

function unaryHandler(rpc: RpcDefinition, answer: UnaryAnswer, known: Known): GrpcHandler {
  const response = converterOf(rpc.response, known.version)
  return {
    kind: 'unary',
    handle: async (bytes, context) => {
      const { message, scope } = read(rpc, bytes, known)
      return response.encode(await answer(message, context), scope)
    },
  }
}

function streamHandler(rpc: RpcDefinition, answer: StreamAnswer, known: Known): GrpcHandler {
  const response = converterOf(rpc.response, known.version)
  return {
    kind: 'server-stream',
    handle: async function* (bytes, context) {
      const { message, scope } = read(rpc, bytes, known)
      for await (const event of answer(message, context)) yield response.encode(event, scope)
    },
  }
}

function read(rpc: RpcDefinition, bytes: Uint8Array, { version, types }: Known): ScopedMessage {
  try {
    return readRequest(rpc, version, bytes, (subject) => ({ subject, types: () => types }))
  } catch (error) {
    const where = error instanceof ValueError ? ' a value in' : ''
    throw new GrpcError('INVALID_ARGUMENT', `cannot read${where} the request ${rpc.name}: ${(error as Error).message}`)
  }
}
