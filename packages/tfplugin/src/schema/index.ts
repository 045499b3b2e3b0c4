/** Schemas of provider types: attributes, nested blocks, and the types of values that they imply. */

export { emptyBlock, emptyNestedBlock } from './empty-value.ts'
export { attributeType, identityType, impliedType, nestedType } from './implied-type.ts'
export type {
  Attribute,
  AttributeShape,
  Block,
  Documented,
  IdentitySchema,
  NestedBlock,
  Nesting,
  Schema,
} from './schema.ts'
