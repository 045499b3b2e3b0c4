import type { IdentitySchema, Schema } from '../schema/index.ts'
import type { Path, Type, Value } from '../value/index.ts'
import type { ProviderDiagnostic } from './provider-diagnostic.ts'

/** Requests and responses of a provider, common to protocols 5 and 6. An undefined field was not sent. */

/** Capabilities of the host. */
export interface ClientCapabilities {
  readonly deferralAllowed?: boolean
  readonly writeOnlyAttributesAllowed?: boolean
}

/** Capabilities of the provider. */
export interface ServerCapabilities {
  readonly planDestroy: boolean
  readonly getProviderSchemaOptional: boolean
  readonly moveResourceState: boolean
  readonly generateResourceConfig: boolean
}

/** Reason why a provider defers an operation. */
export type DeferredReason = 'unknown' | 'resource-config-unknown' | 'provider-config-unknown' | 'absent-prerequisite'

/** A stored state: JSON, or the flat map of states older than Terraform 0.12. */
export type RawState =
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'flatmap'; readonly flatmap: Readonly<Record<string, string>> }

export interface Diagnosed {
  readonly diagnostics: readonly ProviderDiagnostic[]
}

/** A message without fields. */
export type Empty = Readonly<Record<string, never>>

export interface ProviderMetadata extends Diagnosed {
  readonly serverCapabilities: ServerCapabilities
  readonly resources: readonly string[]
  readonly dataSources: readonly string[]
  readonly functions: readonly string[]
  readonly ephemeralResources: readonly string[]
  readonly listResources: readonly string[]
  readonly actions: readonly string[]
}

export interface ProviderSchema extends Diagnosed {
  /** Undefined when there is nothing to configure. */
  readonly provider?: Schema
  readonly providerMeta?: Schema
  readonly resources: ReadonlyMap<string, Schema>
  readonly dataSources: ReadonlyMap<string, Schema>
  readonly ephemeralResources: ReadonlyMap<string, Schema>
  readonly listResources: ReadonlyMap<string, Schema>
  readonly actions: ReadonlyMap<string, Schema>
  readonly functions: ReadonlyMap<string, FunctionSchema>
  readonly serverCapabilities: ServerCapabilities
}

export interface FunctionSchema {
  readonly parameters: readonly FunctionParameter[]
  /** Receives all further arguments. */
  readonly variadicParameter?: FunctionParameter
  readonly returnType: Type
  readonly summary: string
  readonly description: string
  readonly descriptionKind: 'plain' | 'markdown'
  readonly deprecationMessage: string
}

export interface FunctionParameter {
  readonly name: string
  readonly type: Type
  readonly allowNull: boolean
  readonly allowUnknown: boolean
  readonly description: string
  readonly descriptionKind: 'plain' | 'markdown'
}

export interface IdentitySchemas extends Diagnosed {
  readonly identitySchemas: ReadonlyMap<string, IdentitySchema>
}

export interface ValidateConfigRequest {
  readonly typeName: string
  readonly config: Value
  /** Sent for resources only. */
  readonly clientCapabilities?: ClientCapabilities
}

export interface ConfigureProviderRequest {
  readonly terraformVersion: string
  readonly config: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface UpgradeResourceStateRequest {
  readonly typeName: string
  readonly version: number
  readonly rawState: RawState
}

export interface UpgradeResourceStateResponse extends Diagnosed {
  readonly upgradedState?: Value
}

export interface UpgradeResourceIdentityRequest {
  readonly typeName: string
  readonly version: number
  readonly rawIdentity: RawState
}

export interface UpgradeResourceIdentityResponse extends Diagnosed {
  readonly upgradedIdentity?: Value
}

export interface ReadResourceRequest {
  readonly typeName: string
  readonly currentState: Value
  readonly private?: Uint8Array
  readonly currentIdentity?: Value
  readonly providerMeta?: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface ReadResourceResponse extends Diagnosed {
  /** Null when the real resource no longer exists. */
  readonly newState?: Value
  readonly private: Uint8Array
  readonly newIdentity?: Value
  readonly deferred?: DeferredReason
}

export interface PlanResourceChangeRequest {
  readonly typeName: string
  /** Null to create. */
  readonly priorState: Value
  /** Null to destroy. */
  readonly proposedNewState: Value
  readonly config: Value
  readonly priorPrivate?: Uint8Array
  readonly priorIdentity?: Value
  readonly providerMeta?: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface PlanResourceChangeResponse extends Diagnosed {
  readonly plannedState?: Value
  /** Attributes whose change requires replacement. */
  readonly requiresReplace: readonly Path[]
  readonly plannedPrivate: Uint8Array
  readonly plannedIdentity?: Value
  /** Set by providers of the legacy SDK, whose type system is too imprecise for the usual consistency checks. */
  readonly legacyTypeSystem: boolean
  readonly deferred?: DeferredReason
}

export interface ApplyResourceChangeRequest {
  readonly typeName: string
  readonly priorState: Value
  readonly plannedState: Value
  readonly config: Value
  readonly plannedPrivate?: Uint8Array
  readonly plannedIdentity?: Value
  readonly providerMeta?: Value
}

export interface ApplyResourceChangeResponse extends Diagnosed {
  readonly newState?: Value
  readonly private: Uint8Array
  readonly newIdentity?: Value
  readonly legacyTypeSystem: boolean
}

export interface ImportResourceStateRequest {
  readonly typeName: string
  /** Either `id` or `identity` is set. */
  readonly id?: string
  readonly identity?: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface ImportResourceStateResponse extends Diagnosed {
  readonly importedResources: readonly ImportedResource[]
  readonly deferred?: DeferredReason
}

export interface ImportedResource {
  readonly typeName: string
  readonly state: Value
  readonly private: Uint8Array
  readonly identity?: Value
}

export interface MoveResourceStateRequest {
  readonly sourceProviderAddress: string
  readonly sourceTypeName: string
  readonly sourceSchemaVersion: number
  readonly sourceState: RawState
  readonly sourcePrivate?: Uint8Array
  readonly sourceIdentity?: RawState
  readonly sourceIdentitySchemaVersion?: number
  readonly targetTypeName: string
}

export interface MoveResourceStateResponse extends Diagnosed {
  readonly targetState?: Value
  readonly targetPrivate: Uint8Array
  readonly targetIdentity?: Value
}

export interface GenerateResourceConfigRequest {
  readonly typeName: string
  readonly state: Value
}

export interface GenerateResourceConfigResponse extends Diagnosed {
  readonly config?: Value
}

export interface ReadDataSourceRequest {
  readonly typeName: string
  readonly config: Value
  readonly providerMeta?: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface ReadDataSourceResponse extends Diagnosed {
  readonly state?: Value
  readonly deferred?: DeferredReason
}

export interface OpenEphemeralResourceRequest {
  readonly typeName: string
  readonly config: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface OpenEphemeralResourceResponse extends Diagnosed {
  readonly result?: Value
  /** Milliseconds since 1970. */
  readonly renewAt?: number
  readonly private?: Uint8Array
  readonly deferred?: DeferredReason
}

export interface EphemeralResourceRequest {
  readonly typeName: string
  readonly private?: Uint8Array
}

export interface RenewEphemeralResourceResponse extends Diagnosed {
  readonly renewAt?: number
  readonly private?: Uint8Array
}

export interface FunctionsResponse extends Diagnosed {
  readonly functions: ReadonlyMap<string, FunctionSchema>
}

export interface CallFunctionRequest {
  readonly name: string
  readonly arguments: readonly Value[]
}

export interface CallFunctionResponse {
  readonly result?: Value
  readonly error?: FunctionFailure
}

export interface FunctionFailure {
  readonly text: string
  /** Index of the invalid argument, from 0. */
  readonly functionArgument?: number
}

export interface ValidateListResourceConfigRequest {
  readonly typeName: string
  readonly config: Value
  readonly includeResourceObject?: Value
  readonly limit?: Value
}

export interface ListResourceRequest {
  readonly typeName: string
  readonly config: Value
  readonly includeResourceObject: boolean
  /** 0 means unlimited. */
  readonly limit: number
}

export interface ListResourceEvent extends Diagnosed {
  readonly identity?: Value
  readonly displayName: string
  readonly resourceObject?: Value
}

export interface ActionRequest {
  readonly actionType: string
  readonly config: Value
  readonly clientCapabilities?: ClientCapabilities
}

export interface PlanActionResponse extends Diagnosed {
  readonly deferred?: DeferredReason
}

/** Exactly one field is set. */
export interface InvokeActionEvent {
  readonly progress?: { readonly message: string }
  readonly completed?: Diagnosed
}

export interface StopProviderResponse {
  /** Empty on success. */
  readonly error: string
}

/** Unary calls with their request and response types. */
export interface UnaryRpcs {
  getMetadata: { request: Empty; response: ProviderMetadata }
  getProviderSchema: { request: Empty; response: ProviderSchema }
  getResourceIdentitySchemas: { request: Empty; response: IdentitySchemas }
  validateProviderConfig: { request: { readonly config: Value }; response: Diagnosed }
  configureProvider: { request: ConfigureProviderRequest; response: Diagnosed }
  stopProvider: { request: Empty; response: StopProviderResponse }
  validateResourceConfig: { request: ValidateConfigRequest; response: Diagnosed }
  validateDataResourceConfig: { request: ValidateConfigRequest; response: Diagnosed }
  validateEphemeralResourceConfig: { request: ValidateConfigRequest; response: Diagnosed }
  validateListResourceConfig: { request: ValidateListResourceConfigRequest; response: Diagnosed }
  upgradeResourceState: { request: UpgradeResourceStateRequest; response: UpgradeResourceStateResponse }
  upgradeResourceIdentity: { request: UpgradeResourceIdentityRequest; response: UpgradeResourceIdentityResponse }
  readResource: { request: ReadResourceRequest; response: ReadResourceResponse }
  planResourceChange: { request: PlanResourceChangeRequest; response: PlanResourceChangeResponse }
  applyResourceChange: { request: ApplyResourceChangeRequest; response: ApplyResourceChangeResponse }
  importResourceState: { request: ImportResourceStateRequest; response: ImportResourceStateResponse }
  moveResourceState: { request: MoveResourceStateRequest; response: MoveResourceStateResponse }
  generateResourceConfig: { request: GenerateResourceConfigRequest; response: GenerateResourceConfigResponse }
  readDataSource: { request: ReadDataSourceRequest; response: ReadDataSourceResponse }
  openEphemeralResource: { request: OpenEphemeralResourceRequest; response: OpenEphemeralResourceResponse }
  renewEphemeralResource: { request: EphemeralResourceRequest; response: RenewEphemeralResourceResponse }
  closeEphemeralResource: { request: EphemeralResourceRequest; response: Diagnosed }
  getFunctions: { request: Empty; response: FunctionsResponse }
  callFunction: { request: CallFunctionRequest; response: CallFunctionResponse }
  validateActionConfig: { request: ActionRequest; response: Diagnosed }
  planAction: { request: ActionRequest; response: PlanActionResponse }
}

/** Server-streaming calls with their request and event types. */
export interface StreamRpcs {
  listResource: { request: ListResourceRequest; response: ListResourceEvent }
  invokeAction: { request: ActionRequest; response: InvokeActionEvent }
}
