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

/** Capabilities beyond Terraform's protocol, per resource type. */
export type ProviderExtensions = ReadonlyMap<string, ResourceExtensions>

export interface ResourceExtensions {
  /**
   * Repeating an apply with the same planned private bytes returns the same object instead of creating a second one.
   */
  readonly idempotentApply: boolean
  /** Reading many objects in one call costs the provider less than single reads; likewise for the calls below. */
  readonly readMany: boolean
  readonly planMany: boolean
  readonly applyMany: boolean
  readonly validateMany: boolean
  /** A plan depends on its request alone, so a planned change that is applied unchanged need not be planned again. */
  readonly deterministicPlan: boolean
}

/** Calls that take many requests of any resource type and return an outcome for each. */
export interface BatchRpcs {
  readMany: { request: ReadResourceRequest; response: ReadResourceResponse }
  planMany: { request: PlanResourceChangeRequest; response: PlanResourceChangeResponse }
  applyMany: { request: ApplyResourceChangeRequest; response: ApplyResourceChangeResponse }
  validateMany: { request: ValidateConfigRequest; response: Diagnosed }
}

/** Outcome of one request of a batch: a response, or the reason why there is none. */
export type BatchOutcome<T> =
  | { readonly kind: 'answered'; readonly answer: T }
  | { readonly kind: 'failed'; readonly reason: string }

/** gRPC method paths of the extension service, on the provider's own socket. */
export const extensionPaths = {
  describe: '/hykube.provider.v1.Extensions/Describe',
  readMany: '/hykube.provider.v1.Extensions/ReadMany',
  planMany: '/hykube.provider.v1.Extensions/PlanMany',
  applyMany: '/hykube.provider.v1.Extensions/ApplyMany',
  validateMany: '/hykube.provider.v1.Extensions/ValidateMany',
} as const

/** The protocol calls whose messages each batch contains. */
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

/** Encodes a batch: a repeated field of protocol messages. Decoding returns views of the input. */
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
          { number: 7, name: 'deterministicPlan', type: 'bool', presence: 'implicit' },
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
