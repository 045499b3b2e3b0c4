/** The definition of providers: schemas, resources, data sources and functions; and the service that answers calls. */
export { equalValues, isUnknown, type Unknown, type Value } from '@hykube/tfplugin/value'
export { extensionsOf } from './batch.ts'
export { type Definitions, defineFunction, defineProvider, definitionsFor, type ProviderDefinition } from './define.ts'
export { type FailureOptions, ProviderFailure } from './failure.ts'
export type {
  ApplyOperation,
  CreateOperation,
  DeleteOperation,
  Logger,
  ObjectOperation,
  Operation,
  PlanOperation,
  ReadOperation,
  UpdateOperation,
  ValidateOperation,
} from './operation.ts'
export { type Json, PrivateData } from './private-data.ts'
export type {
  DataSourceDefinition,
  EphemeralDefinition,
  EphemeralResult,
  FunctionDefinition,
  IdentityDefinition,
  ListDefinition,
  ResourceDefinition,
} from './resource.ts'
export { RunningProvider } from './running-provider.ts'
export { type AttributeChange, type AttributeOptions, type AttributeSpec, attribute } from './schema/attribute.ts'
export { type BlockOptions, type BlockSpec, block } from './schema/block.ts'
export { dynamicFromJson, dynamicToJson } from './schema/dynamic-json.ts'
export { type SchemaOptions, type SchemaSpec, schema } from './schema/schema.ts'
export type { Place } from './schema/type-mismatch.ts'
export { type Infer, type ValueType, valueType } from './schema/value-type.ts'
export type { Config, DraftConfig, MaybeUnknown, Planned, Settled, State } from './views.ts'
