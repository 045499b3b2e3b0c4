/** Structural schemas of CRDs: defaulting, pruning, validation; shapes of types, by which patch and apply merge. */
export { hasFormat, knownFormats } from './format.ts'
export { GoRegexp } from './go-regexp/go-regexp.ts'
export { RegexpSyntaxError } from './go-regexp/syntax.ts'
export { additionalSchema, type JsonSchema, type ValidationRule } from './json-schema.ts'
export { pruneObject } from './prune.ts'
export { type RuleValidator, rulesValidator } from './rules.ts'
export { schemaToTypeShape } from './schema-shape.ts'
export { setSchemaDefaults } from './set-defaults.ts'
export { validateStructuralSchema } from './structural.ts'
export {
  atomicShape,
  deducedObjectShape,
  deducedShape,
  type FieldTraits,
  type ListShape,
  objectMetaShape,
  type ScalarShape,
  type StructShape,
  structShape,
  type TypeShape,
  untypedScalarShape,
} from './type-shape.ts'
export { withTypedMetadata } from './typed-metadata.ts'
export { schemaValidator } from './validate.ts'
