/** The definition of providers: schemas, resources, data sources and functions; and the service that answers calls. */
export { equalValues, isUnknown, type Unknown, type Value } from '@hykube/tfplugin/value'
export { type AttributeChange, type AttributeOptions, type AttributeSpec, attribute } from './attribute.ts'
export { extensionsOf } from './batch.ts'
export { type BlockOptions, type BlockSpec, block } from './block.ts'
export { type Definitions, defineFunction, defineProvider, definitionsFor, type ProviderDefinition } from './define.ts'
export { dynamicFromJson, dynamicToJson } from './dynamic-json.ts'
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
export { type SchemaOptions, type SchemaSpec, schema } from './schema.ts'
export type { Place } from './type-mismatch.ts'
export { type Infer, type ValueType, valueType } from './value-type.ts'
export type { Config, DraftConfig, MaybeUnknown, Planned, Settled, State } from './views.ts'
