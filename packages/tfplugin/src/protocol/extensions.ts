import { type MessageTable, messageCodec } from '@hykube/machinery/protobuf'
import type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  Diagnosed,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  ValidateConfigRequest,
} from './messages.ts'
import type { RpcDefinition } from './rpc.ts'
import { unaryRpcs } from './rpcs.ts'

/** What a provider can do beyond the protocol, for each resource type that can do something. */
export type ProviderExtensions = ReadonlyMap<string, ResourceExtensions>

export interface ResourceExtensions {
  /** An apply that is repeated with the same planned private bytes gives the same object instead of a second one. */
  readonly idempotentApply: boolean
  /** Reads of many objects cost the provider less than the same reads one by one; likewise below. */
  readonly readMany: boolean
  readonly planMany: boolean
  readonly applyMany: boolean
  readonly validateMany: boolean
  /** A plan follows from its request alone: what was planned need not be asked again when it is applied as it was. */
  readonly steadyPlan: boolean
}

/** The calls that take many requests of the protocol at once, of any types, and answer each by itself. */
export interface BatchRpcs {
  readMany: { request: ReadResourceRequest; response: ReadResourceResponse }
  planMany: { request: PlanResourceChangeRequest; response: PlanResourceChangeResponse }
  applyMany: { request: ApplyResourceChangeRequest; response: ApplyResourceChangeResponse }
  validateMany: { request: ValidateConfigRequest; response: Diagnosed }
}

/** How one request of a batch came out: answered, or not even that, with the reason. */
export type BatchOutcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'failed'; readonly reason: string }

/** Where the service is, on the same socket as the provider. */
export const extensionPaths = {
  describe: '/hykube.provider.v1.Extensions/Describe',
  readMany: '/hykube.provider.v1.Extensions/ReadMany',
  planMany: '/hykube.provider.v1.Extensions/PlanMany',
  applyMany: '/hykube.provider.v1.Extensions/ApplyMany',
  validateMany: '/hykube.provider.v1.Extensions/ValidateMany',
} as const

/** The calls of the protocol whose messages a batch is made of. */
export const batchRpcs: { readonly [K in keyof BatchRpcs]: RpcDefinition } = {
  readMany: unaryRpcs.readResource,
  planMany: unaryRpcs.planResourceChange,
  applyMany: unaryRpcs.applyResourceChange,
  validateMany: unaryRpcs.validateResourceConfig,
}

export function extensionsToBytes(extensions: ProviderExtensions): Uint8Array {
  const resources = [...extensions].map(([typeName, can]) => ({ typeName, ...can }))
  return messageCodec(describeTable).encode({ resources })
}

export function extensionsFromBytes(bytes: Uint8Array): ProviderExtensions {
  const { resources } = messageCodec(describeTable).decode(bytes) as {
    readonly resources: readonly (ResourceExtensions & { readonly typeName: string })[]
  }
  return new Map(resources.map(({ typeName, ...can }) => [typeName, can]))
}

/** A batch of messages of the protocol. On the wire it is a repeated field of them. What is read of it are views of it. */
export function batchToBytes(requests: readonly Uint8Array[]): Uint8Array {
  return messageCodec(batchTable).encode({ requests })
}

export function batchFromBytes(bytes: Uint8Array): readonly Uint8Array[] {
  return messageCodec(batchTable).decode(bytes).requests as readonly Uint8Array[]
}

export function outcomesToBytes(outcomes: readonly BatchOutcome<Uint8Array>[]): Uint8Array {
  return messageCodec(outcomesTable).encode({
    outcomes: outcomes.map((outcome) =>
      outcome.kind === 'answered' ? { answer: outcome.answer } : { error: outcome.reason },
    ),
  })
}

export function outcomesFromBytes(bytes: Uint8Array): readonly BatchOutcome<Uint8Array>[] {
  const { outcomes } = messageCodec(outcomesTable).decode(bytes) as { readonly outcomes: readonly WireOutcome[] }
  return outcomes.map(({ answer, error }) =>
    answer === undefined ? { kind: 'failed', reason: error ?? 'no reason was given' } : { kind: 'answered', answer },
  )
}

interface WireOutcome {
  readonly answer?: Uint8Array
  readonly error?: string
}

const describeTable: MessageTable = {
  name: 'Describe.Response',
  fields: [
    {
      number: 1,
      name: 'resources',
      repeated: true,
      presence: 'implicit',
      type: () => ({
        name: 'ResourceExtensions',
        fields: [
          { number: 1, name: 'typeName', type: 'string', presence: 'implicit' },
          { number: 2, name: 'idempotentApply', type: 'bool', presence: 'implicit' },
          { number: 3, name: 'readMany', type: 'bool', presence: 'implicit' },
          { number: 4, name: 'planMany', type: 'bool', presence: 'implicit' },
          { number: 5, name: 'applyMany', type: 'bool', presence: 'implicit' },
          { number: 6, name: 'validateMany', type: 'bool', presence: 'implicit' },
          { number: 7, name: 'steadyPlan', type: 'bool', presence: 'implicit' },
        ],
      }),
    },
  ],
}

const batchTable: MessageTable = {
  name: 'Batch.Request',
  fields: [{ number: 1, name: 'requests', type: 'bytes-view', repeated: true, presence: 'implicit' }],
}

const outcomesTable: MessageTable = {
  name: 'Batch.Response',
  fields: [
    {
      number: 1,
      name: 'outcomes',
      repeated: true,
      presence: 'implicit',
      type: () => ({
        name: 'Outcome',
        fields: [
          { number: 1, name: 'answer', type: 'bytes-view' },
          { number: 2, name: 'error', type: 'string' },
        ],
      }),
    },
  ],
}
