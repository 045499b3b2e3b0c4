import { type CallOptions, type GrpcClient, hasStatus } from '../grpc/index.ts'
import {
  type BatchOutcome,
  type BatchRpcs,
  batchRpcs,
  batchToBytes,
  extensionPaths,
  extensionsFromBytes,
  outcomesFromBytes,
  type ProviderExtensions,
} from './extensions.ts'
import { answerLimits, ProviderAnswerError, type ProviderClient } from './provider-client.ts'
import { converterOf, subjectOf } from './rpc.ts'
import { SchemaTypes } from './schema-types.ts'
import { type CallScope, scopesOf } from './wire-kind.ts'

/** Client of a provider's extension service. The outcomes of a batch are in the order of its requests. */
export type ExtensionsClient = {
  readonly [K in keyof BatchRpcs]: (
    requests: readonly BatchRpcs[K]['request'][],
    options?: CallOptions,
  ) => Promise<readonly BatchOutcome<BatchRpcs[K]['response']>[]>
} & {
  readonly extensions: ProviderExtensions
}

/** Queries a provider's extensions; undefined when it has none, as every provider not built with this SDK. */
export async function connectExtensions(
  grpc: GrpcClient,
  provider: ProviderClient,
  options?: CallOptions,
): Promise<ExtensionsClient | undefined> {
  const extensions = await describe(grpc, options)
  if (extensions === undefined) return undefined
  const scopeOf = scopesOf(new SchemaTypes(await provider.schema(options), await provider.identitySchemas(options)))
  const call = (name: keyof BatchRpcs) => (requests: readonly object[], callOptions?: CallOptions) =>
    callBatch(grpc, scopeOf, name, requests, callOptions)
  return {
    extensions,
    readMany: call('readMany') as ExtensionsClient['readMany'],
    planMany: call('planMany') as ExtensionsClient['planMany'],
    applyMany: call('applyMany') as ExtensionsClient['applyMany'],
    validateMany: call('validateMany') as ExtensionsClient['validateMany'],
  }
}

async function describe(grpc: GrpcClient, options?: CallOptions): Promise<ProviderExtensions | undefined> {
  try {
    return extensionsFromBytes(await grpc.unary(extensionPaths.describe, new Uint8Array(0), options))
  } catch (error) {
    if (hasStatus(error, 'UNIMPLEMENTED')) return undefined
    throw error
  }
}

async function callBatch(
  grpc: GrpcClient,
  scopeOf: (subject: string) => CallScope,
  name: keyof BatchRpcs,
  requests: readonly object[],
  options: CallOptions | undefined,
): Promise<readonly BatchOutcome<unknown>[]> {
  const rpc = batchRpcs[name]
  const scopes = requests.map((request) => scopeOf(subjectOf(rpc, request as Readonly<Record<string, unknown>>)))
  const encoder = converterOf(rpc.request, 6)
  const batch = batchToBytes(
    requests.map((request, i) => encoder.encode(request as Readonly<Record<string, unknown>>, scopes[i]!)),
  )
  const answer = await grpc.unary(extensionPaths[name], batch, options)
  try {
    const outcomes = outcomesFromBytes(answer)
    if (outcomes.length !== requests.length)
      throw new Error(`the provider answered ${outcomes.length} of ${requests.length} requests`)
    const decoder = converterOf(rpc.response, 6)
    return outcomes.map((outcome, i) =>
      outcome.kind === 'answered'
        ? { kind: 'answered', answer: decoder.decode(outcome.answer, scopes[i]!, answerLimits) }
        : outcome,
    )
  } catch (error) {
    throw new ProviderAnswerError(name, '', error as Error)
  }
}
