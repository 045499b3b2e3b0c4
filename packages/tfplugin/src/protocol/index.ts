/** Messages of provider protocols 5 and 6, a client for both, and the server side for providers of the SDK. */
export type { BatchRpcs, ProviderExtensions } from './extensions.ts'
export { connectExtensions, type ExtensionsClient } from './extensions-client.ts'
export { type ExtensionsService, extensionHandlers } from './extensions-server.ts'
export type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  CallFunctionRequest,
  CallFunctionResponse,
  ClientCapabilities,
  DeferredReason,
  Diagnosed,
  FunctionSchema,
  IdentitySchemas,
  ImportResourceStateRequest,
  ImportResourceStateResponse,
  ListResourceEvent,
  ListResourceRequest,
  OpenEphemeralResourceRequest,
  OpenEphemeralResourceResponse,
  PlanResourceChangeRequest,
  PlanResourceChangeResponse,
  ProviderSchema,
  RawState,
  ReadDataSourceRequest,
  ReadDataSourceResponse,
  ReadResourceRequest,
  ReadResourceResponse,
  ServerCapabilities,
  UnaryRpcs,
  UpgradeResourceStateRequest,
  UpgradeResourceStateResponse,
  ValidateConfigRequest,
} from './messages.ts'
export { createProviderClient, ProviderAnswerError, type ProviderClient } from './provider-client.ts'
export type { ProviderDiagnostic } from './provider-diagnostic.ts'
export { type ProviderService, providerHandlers } from './provider-server.ts'
export {
  identitySchemasFromBytes,
  lazyProviderSchema,
  providerSchemaToBytes,
  readEverySchema,
  schemaPaths,
} from './schema-bytes.ts'
export type { ProtocolVersion } from './schema-wire.ts'
