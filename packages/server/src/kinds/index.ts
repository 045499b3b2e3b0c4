/** Built-in Kubernetes kinds: generated tables, plus defaults, validation and behaviour per kind. */
export { builtInResourceTypes } from './built-in-types.ts'
export { jsonForm } from './json-form.ts'
export { builtInKinds, internalPackageOf, isRegistered, typeNameOf } from './kind-table.ts'
export { documentProtobuf, listMetaMessage, listProtobuf, objectProtobuf } from './object-protobuf.ts'
export { openApiSchema } from './open-api-schemas.ts'
export { protobufTable } from './protobuf-tables.ts'
export { typeNames } from './type-table.ts'
