/** ResourceType, the interface that every kind compiles to. */
export { defaultStrategy } from './default-strategy.ts'
export type { OpenApi, OpenApiDefinitions, OpenApiSchema } from './open-api.ts'
export type {
  ObjectCodec,
  Pruned,
  ResourceNames,
  ResourceType,
  ScalePaths,
  StoragePlace,
  Strategy,
  Subresource,
  TableColumnDefinition,
  TableColumns,
  Verb,
} from './resource-type.ts'
export { schemaResourceType } from './schema-type.ts'
export type { RowSource, RowsOfResource, View } from './view.ts'
