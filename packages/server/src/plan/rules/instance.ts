import type { ClientCapabilities, ProviderClient, ServerCapabilities } from '@hykube/tfplugin/protocol'
import type { IdentitySchema, Path, Schema, Value } from '@hykube/tfplugin/value'
import type { IgnoredChanges } from './ignore-changes.ts'

/**
 * What the rules ask a provider, as a ProviderClient answers it. A call that could not be made or whose answer was lost
 * rejects with the client's own error, which the rules pass on; what the provider has to say comes as diagnostics.
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
  | 'moveResourceState'
  | 'readDataSource'
>

/** One instance of a resource, as far as every rule must know it. */
export interface ResourceInstance {
  /** As people write it, for messages: `aws_vpc.main[3]`. */
  readonly address: string
  /** The provider's name, for messages: `hashicorp/aws`. */
  readonly provider: string
  readonly typeName: string
  readonly schema: Schema
  /** Of providers that have one for the type. */
  readonly identitySchema?: IdentitySchema
  readonly capabilities: Pick<ServerCapabilities, 'planDestroy'>
  /** Sent along where the provider has a schema for it. */
  readonly providerMeta?: Value
  /** Texts that the provider was given and that must not be shown where it returns them. Default: none. */
  readonly secrets?: readonly string[]
  /** Whether the provider may say that something must wait. Default false. */
  readonly deferralAllowed?: boolean
}

/** What is kept of an object in the outside world. */
export interface InstanceState {
  readonly value: Value
  /** The provider's own, opaque. */
  readonly private: Uint8Array
  readonly identity?: Value
  /** The version of the schema that the value is of; likewise of the identity. */
  readonly schemaVersion: number
  readonly identitySchemaVersion?: number
  /** `tainted`: made only in part, to be replaced. */
  readonly status: 'ready' | 'tainted'
  /** What is sensitive because of where its value came from; what the schema says so of is not listed. */
  readonly sensitivePaths: readonly Path[]
}

/** The user's wishes for how a resource is changed. */
export interface Lifecycle {
  readonly ignoreChanges: IgnoredChanges
  readonly preventDestroy: boolean
  readonly createBeforeDestroy: boolean
  /** False: the object is forgotten where it would be destroyed. */
  readonly destroy: boolean
}

/** What holds when nothing was wished. */
export const defaultLifecycle: Lifecycle = {
  ignoreChanges: [],
  preventDestroy: false,
  createBeforeDestroy: false,
  destroy: true,
}

/** What the provider is told that we can do. */
export function clientCapabilitiesOf({ deferralAllowed = false }: ResourceInstance): ClientCapabilities {
  return deferralAllowed ? deferring : waiting
}

const waiting: ClientCapabilities = { writeOnlyAttributesAllowed: true }
const deferring: ClientCapabilities = { writeOnlyAttributesAllowed: true, deferralAllowed: true }
