import type { ClientCapabilities, ProviderClient, ServerCapabilities } from '@hykube/tfplugin/protocol'
import type { IdentitySchema, Schema } from '@hykube/tfplugin/schema'
import type { Value } from '@hykube/tfplugin/value'

/**
 * The calls to a provider that this room makes. A call that could not be sent or whose answer was lost rejects with the client's own
 * error, which is passed on; errors that the provider reports are diagnostics in its answer.
 */
export type ProviderPort = Pick<
  ProviderClient,
  | 'validateResourceConfig'
  | 'validateDataResourceConfig'
  | 'upgradeResourceState'
  | 'upgradeResourceIdentity'
  | 'readResource'
  | 'planResourceChange'
  | 'applyResourceChange'
  | 'importResourceState'
  | 'readDataSource'
>

/** The facts about one instance that every call needs. */
export interface ResourceInstance {
  /** The address for messages: `aws_vpc.main[3]`. */
  readonly address: string
  /** The provider's name, for messages: `hashicorp/aws`. */
  readonly provider: string
  readonly typeName: string
  readonly schema: Schema
  /** Set if the type has an identity. */
  readonly identitySchema?: IdentitySchema
  readonly capabilities: Pick<ServerCapabilities, 'planDestroy'>
  /** Sent if the provider has a schema for it. */
  readonly providerMeta?: Value
  /** Sensitive strings that the provider received; attributes that repeat one become sensitive. Default: none. */
  readonly secrets?: readonly string[]
  /** True when the provider may defer the change. Default false. */
  readonly deferralAllowed?: boolean
}

/** Returns the client capabilities to send with a call. */
export function clientCapabilitiesOf({ deferralAllowed = false }: ResourceInstance): ClientCapabilities {
  return deferralAllowed ? deferring : waiting
}

const waiting: ClientCapabilities = { writeOnlyAttributesAllowed: true }
const deferring: ClientCapabilities = { writeOnlyAttributesAllowed: true, deferralAllowed: true }
