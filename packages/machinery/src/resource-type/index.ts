/** What every kind compiles to. */
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
