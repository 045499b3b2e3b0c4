/** Managed fields and server-side apply: ownership of fields, merging of configurations, and conflicts. */
export { capUpdateManagers, maximumUpdateManagers } from './cap-managers.ts'
export { type Comparison, compareTyped, excludeFields, isSame } from './compare.ts'
export { conflictError } from './conflict.ts'
export { extractApplied } from './extract.ts'
export { type ApplyOptions, FieldManager, type FieldManagerOptions } from './field-manager.ts'
export {
  difference,
  emptyFieldSet,
  type FieldSet,
  fieldSetFromJson,
  fieldSetOf,
  fieldSetSize,
  fieldSetsEqual,
  fieldSetToJson,
  hasPath,
  intersection,
  isEmptySet,
  leavesOf,
  pathsOf,
  recursiveDifference,
  union,
} from './field-set.ts'
export { fieldsLastApplied, lastAppliedAnnotation, withLastApplied } from './last-applied.ts'
export {
  decodeManagedFields,
  encodeManagedFields,
  isReset,
  type Managed,
  type ManagerIdentity,
  managedFieldsOf,
  managerFromIdentifier,
  managerIdentifier,
  withManagedFields,
} from './managed-fields.ts'
export { ApplyConflicts, type ManagedSet, type Managers } from './managers.ts'
export { mergeTyped } from './merge.ts'
export { withoutTimeChanges } from './no-op.ts'
export {
  type FieldPath,
  fieldElement,
  keyElement,
  type PathElement,
  pathToText,
  valueElement,
} from './path-element.ts'
export { type ExtractOptions, extractItems, removeItems } from './remove-items.ts'
export { toFieldSet } from './to-field-set.ts'
export { type FieldProblem, TypedError } from './typed-error.ts'
export { type ApplyOutcome, applyConfiguration, updateManagers, type WriteContext } from './updater.ts'
export { validateTyped } from './validate-typed.ts'
export { type KindVersions, singleVersion, type VersionedObject } from './versions.ts'
