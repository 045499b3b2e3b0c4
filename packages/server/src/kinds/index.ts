/** Built-in kinds: generated tables, and behaviour where a kind behaves. */
export { builtInKinds, type KindFacts, type SubresourceFacts, typeNameOf } from './kind-table.ts'
export { protobufListTable, protobufTable } from './protobuf-tables.ts'
export { type FieldFacts, type TypeFacts, type TypeRef, typeFacts, typeNames } from './type-table.ts'
