/** Managed fields and server-side apply: ownership of fields, merging of configurations, and conflicts. */
export { compareTyped } from './compare.ts'
export { FieldManager } from './field-manager.ts'
export { type FieldSet, fieldSetOf, fieldSetToJson } from './field-set.ts'
export { mergeTyped } from './merge.ts'
export { fieldElement } from './path-element.ts'
export { TypedError } from './typed-error.ts'
export { validateTyped } from './validate-typed.ts'
export type { KindVersions, VersionedObject } from './versions.ts'
