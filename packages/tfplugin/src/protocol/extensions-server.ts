import type { GrpcHandler, ServerCallContext } from '../grpc/index.ts'
import {
  type BatchOutcome,
  type BatchRpcs,
  batchFromBytes,
  batchRpcs,
  extensionPaths,
  extensionsToBytes,
  outcomesToBytes,
  type ProviderExtensions,
} from './extensions.ts'
import type { ProviderServiceOptions } from './provider-server.ts'
import { converterOf, type RpcDefinition, readRequest } from './rpc.ts'
import { SchemaTypes } from './schema-types.ts'
import { type CallScope, scopesOf } from './wire-kind.ts'

/**
 * Implementation of a provider's extensions: returns one response per request, in order. Calls may run concurrently.
 */
export type ExtensionsService = {
  readonly [K in keyof BatchRpcs]: (
    requests: readonly BatchRpcs[K]['request'][],
    context: ServerCallContext,
  ) => Promise<readonly BatchRpcs[K]['response'][]>
}

/** Builds the gRPC handlers of the extension service, to be served next to the provider's own. */
export function extensionHandlers(
  extensions: ProviderExtensions,
  service: ExtensionsService,
  { schema, identitySchemas }: ProviderServiceOptions,
): Map<string, GrpcHandler> {
  const scopeOf = scopesOf(new SchemaTypes(schema, identitySchemas))
  const described = extensionsToBytes(extensions)
  const handlers = new Map<string, GrpcHandler>([[extensionPaths.describe, { kind: 'unary', handle: () => described }]])
  for (const name of ['readMany', 'planMany', 'applyMany', 'validateMany'] as const) {
    const answer = service[name] as BatchAnswer
    handlers.set(extensionPaths[name], {
      kind: 'unary',
      handle: (bytes, context) => answerBatch(batchRpcs[name], answer, scopeOf, bytes, context),
    })
  }
  return handlers
}

type BatchAnswer = (requests: readonly object[], context: ServerCallContext) => Promise<readonly object[]>

// A request that can't be decoded, or a response that can't be encoded, fails alone; the rest of the batch proceeds.
async function answerBatch(
  rpc: RpcDefinition,
  answer: BatchAnswer,
  scopeOf: (subject: string) => CallScope,
  bytes: Uint8Array,
  context: ServerCallContext,
): Promise<Uint8Array> {
  const read = batchFromBytes(bytes).map((request) => attempt(() => readRequest(rpc, 6, request, scopeOf)))
  const readable = read.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.answer.message] : []))
  const answers = await answer(readable, context)
  const encoder = converterOf(rpc.response, 6)
  let next = 0
  return outcomesToBytes(
    read.map((outcome) => {
      if (outcome.kind === 'failed') return outcome
      const message = answers[next++] as Readonly<Record<string, unknown>> | undefined
      if (message === undefined) return { kind: 'failed', reason: 'the provider returned no response for this request' }
      return attempt(() => encoder.encode(message, outcome.answer.scope))
    }),
  )
}

function attempt<T>(body: () => T): BatchOutcome<T> {
  try {
    return { kind: 'answered', answer: body() }
  } catch (error) {
    return { kind: 'failed', reason: (error as Error).message }
  }
}
