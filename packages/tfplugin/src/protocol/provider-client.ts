import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CallOptions, type GrpcClient, GrpcError, hasStatus } from '../grpc/index.ts'
import type { Empty, IdentitySchemas, ProviderSchema, StreamRpcs, UnaryRpcs } from './messages.ts'
import { converterOf, type RpcDefinition, rpcPath, subjectOf } from './rpc.ts'
import { streamRpcs, unaryRpcs } from './rpcs.ts'
import { SchemaTypes } from './schema-types.ts'
import type { ProtocolVersion } from './schema-wire.ts'

/**
 * A client for a provider of either protocol. Calls take and return values in memory; the client decodes them with the
 * provider's schema, which it fetches on first use. Problems inside the provider are returned as diagnostics. A call
 * rejects with GrpcError when the provider can't be reached, and with ProviderAnswerError when a response does not
 * match the provider's own schema. Calls may run concurrently.
 */
export type ProviderClient = {
  readonly [K in keyof UnaryRpcs]: (
    ...args: UnaryRpcs[K]['request'] extends Empty
      ? [request?: Empty, options?: CallOptions]
      : [request: UnaryRpcs[K]['request'], options?: CallOptions]
  ) => Promise<UnaryRpcs[K]['response']>
} & {
  readonly [K in keyof StreamRpcs]: (
    request: StreamRpcs[K]['request'],
    options?: CallOptions,
  ) => AsyncIterable<StreamRpcs[K]['response']>
} & {
  readonly protocolVersion: ProtocolVersion
  /**
   * Returns the schema, fetched once. Providers without getProviderSchemaOptional require this call before any other.
   */
  readonly schema: (options?: CallOptions) => Promise<ProviderSchema>
  /** Returns the identity schemas, fetched once; empty for a provider that does not implement them. */
  readonly identitySchemas: (options?: CallOptions) => Promise<IdentitySchemas['identitySchemas']>
}

export interface ProviderClientOptions {
  /**
   * Schema cached from an earlier process of the same provider. It is fetched anyway when the provider requires the
   * call.
   */
  readonly schema?: ProviderSchema
  readonly identitySchemas?: IdentitySchemas['identitySchemas']
}

/** A response that does not match the provider's own schema. */
export class ProviderAnswerError extends Error {
  readonly rpc: string

  constructor(rpc: string, subject: string, cause: Error) {
    const about = subject === '' ? '' : ` about ${subject}`
    super(`the provider's answer to ${rpc}${about} is not what its schema says: ${cause.message}`, { cause })
    this.name = 'ProviderAnswerError'
    this.rpc = rpc
  }
}

/** Creates a client for the provider at the other end of a connection. */
export function createProviderClient(
  grpc: GrpcClient,
  version: ProtocolVersion,
  options: ProviderClientOptions = {},
): ProviderClient {
  const caller = new Caller(grpc, version, options)
  const client: Record<string, unknown> = {
    protocolVersion: version,
    schema: (callOptions?: CallOptions) => caller.schema(callOptions),
    identitySchemas: (callOptions?: CallOptions) => caller.identities(callOptions),
  }
  for (const [name, rpc] of Object.entries(unaryRpcs)) {
    client[name] = (request: Request = {}, callOptions?: CallOptions) => caller.unary(rpc, request, callOptions)
  }
  for (const [name, rpc] of Object.entries(streamRpcs)) {
    client[name] = (request: Request, callOptions?: CallOptions) => caller.stream(rpc, request, callOptions)
  }
  return client as ProviderClient
}

type Request = Readonly<Record<string, unknown>>

class Caller {
  readonly #grpc: GrpcClient
  readonly #version: ProtocolVersion
  readonly #given: ProviderClientOptions
  #schema: Promise<ProviderSchema> | undefined
  #identities: Promise<IdentitySchemas['identitySchemas']> | undefined
  #types: SchemaTypes | undefined

  constructor(grpc: GrpcClient, version: ProtocolVersion, given: ProviderClientOptions) {
    this.#grpc = grpc
    this.#version = version
    this.#given = given
  }

  schema(options?: CallOptions): Promise<ProviderSchema> {
    this.#schema ??= this.#retryable(this.#fetchSchema(options), () => {
      this.#schema = undefined
    })
    return this.#schema
  }

  identities(options?: CallOptions): Promise<IdentitySchemas['identitySchemas']> {
    this.#identities ??= this.#retryable(this.#fetchIdentities(options), () => {
      this.#identities = undefined
    })
    return this.#identities
  }

  async unary(rpc: RpcDefinition, request: Request, options?: CallOptions): Promise<unknown> {
    const scope = await this.#scope(rpc, request, options)
    const encoded = converterOf(rpc.request, this.#version).encode(request, scope)
    const answer = await this.#grpc.unary(rpcPath(rpc, this.#version), encoded, options)
    if (answer.length < largeAnswer) return this.#decode(rpc, answer, scope)
    await nextTurn()
    const message = this.#decode(rpc, answer, scope)
    await nextTurn()
    return message
  }

  async *stream(rpc: RpcDefinition, request: Request, options?: CallOptions): AsyncGenerator<unknown> {
    const scope = await this.#scope(rpc, request, options)
    const encoded = converterOf(rpc.request, this.#version).encode(request, scope)
    for await (const event of this.#grpc.serverStream(rpcPath(rpc, this.#version), encoded, options)) {
      yield this.#decode(rpc, event, scope)
    }
  }

  #decode(rpc: RpcDefinition, answer: Uint8Array, scope: Scope): unknown {
    try {
      const limits = callsWithoutValues.has(rpc.name) ? undefined : answerLimits
      return converterOf(rpc.response, this.#version).decode(answer, scope, limits)
    } catch (error) {
      throw new ProviderAnswerError(rpc.name, scope.subject, error as Error)
    }
  }

  async #scope(rpc: RpcDefinition, request: Request, options: CallOptions | undefined): Promise<Scope> {
    if (callsWithoutValues.has(rpc.name)) return { subject: '', types: noTypes }
    const types = this.#types ?? (await this.#loadTypes(options))
    return { subject: subjectOf(rpc, request), types: () => types }
  }

  async #loadTypes(options: CallOptions | undefined): Promise<SchemaTypes> {
    const schema = await this.schema(options)
    this.#types = new SchemaTypes(schema, await this.identities(options))
    return this.#types
  }

  async #fetchSchema(options: CallOptions | undefined): Promise<ProviderSchema> {
    if (this.#given.schema?.serverCapabilities.getProviderSchemaOptional === true) return this.#given.schema
    return (await this.unary(unaryRpcs.getProviderSchema, {}, options)) as ProviderSchema
  }

  async #fetchIdentities(options: CallOptions | undefined): Promise<IdentitySchemas['identitySchemas']> {
    if (this.#given.identitySchemas !== undefined) return this.#given.identitySchemas
    try {
      const answer = (await this.unary(unaryRpcs.getResourceIdentitySchemas, {}, options)) as IdentitySchemas
      return answer.identitySchemas
    } catch (error) {
      if (hasStatus(error, 'UNIMPLEMENTED')) return new Map()
      throw error
    }
  }

  // A failed fetch is forgotten, so that the next call tries again instead of repeating the error.
  #retryable<T>(promise: Promise<T>, forget: () => void): Promise<T> {
    promise.catch(forget)
    return promise
  }
}

interface Scope {
  readonly subject: string
  readonly types: () => SchemaTypes
}

// Bytes. Receiving, decoding and using a larger answer are turns of the event loop of their own.
const largeAnswer = 1 << 20

/** Bounds diagnostics and their paths: each is converted, stored and shown. Schemas have limits of their own. */
export const answerLimits = { maxMessages: 20_000, maxEntries: 100_000 } as const

// Calls without values. They must work before the schema is known, because some of them fetch it.
const callsWithoutValues: ReadonlySet<string> = new Set(
  [
    unaryRpcs.getMetadata,
    unaryRpcs.getProviderSchema,
    unaryRpcs.getResourceIdentitySchemas,
    unaryRpcs.getFunctions,
    unaryRpcs.stopProvider,
  ].map(({ name }) => name),
)

function noTypes(): never {
  throw new GrpcError('INTERNAL', 'this message holds no values')
}
