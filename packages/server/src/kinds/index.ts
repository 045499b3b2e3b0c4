/** Built-in Kubernetes kinds: generated tables, plus defaults, validation and behaviour per kind. */
export { builtInResourceTypes } from './built-in-types.ts'
export { withDefaults } from './defaults/with-defaults.ts'
export { type JsonForm, jsonForm } from './json-form.ts'
export {
  builtInKinds,
  internalPackageOf,
  isRegistered,
  type KindFacts,
  type SubresourceFacts,
  typeNameOf,
} from './kind-table.ts'
export { documentProtobuf, listMetaMessage, listProtobuf, objectProtobuf } from './object-protobuf.ts'
export { openApiSchema } from './open-api-schemas.ts'
export { protobufListTable, protobufTable } from './protobuf-tables.ts'
export { typeShape } from './type-shapes.ts'
export { type FieldFacts, type TypeFacts, type TypeRef, typeFacts, typeNames } from './type-table.ts'
