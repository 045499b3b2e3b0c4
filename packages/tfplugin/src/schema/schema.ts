import type { Type } from '../value/index.ts'

/** Schema of a provider's configuration or of one of its types. */
export interface Schema {
  /** Increased by the provider when the shape of stored states changes. */
  readonly version: number
  readonly block: Block
}

/** Attributes and nested blocks of one level. */
export interface Block extends Documented {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly NestedBlock[]
}

/** Documentation of a schema element. */
export interface Documented {
  readonly description: string
  readonly descriptionKind: 'plain' | 'markdown'
  readonly deprecated: boolean
  /** Empty when the provider has no message. */
  readonly deprecationMessage: string
}

/** An attribute with a type of its own or with nested attributes. */
export interface Attribute extends Documented {
  readonly name: string
  readonly shape: AttributeShape
  readonly required: boolean
  readonly optional: boolean
  /** The provider may set the value; without `optional` only the provider may. */
  readonly computed: boolean
  readonly sensitive: boolean
  /** Sent to the provider and never stored. */
  readonly writeOnly: boolean
}

export type AttributeShape =
  | { readonly kind: 'plain'; readonly type: Type }
  | {
      readonly kind: 'nested'
      readonly nesting: 'single' | 'list' | 'set' | 'map'
      readonly attributes: readonly Attribute[]
    }

/** A nested block type with its cardinality. */
export interface NestedBlock {
  readonly name: string
  readonly nesting: Nesting
  readonly block: Block
  readonly minItems: number
  /** 0 means unlimited. */
  readonly maxItems: number
}

/** `group` is a single object that is always present, with defaults when it is not written. */
export type Nesting = 'single' | 'group' | 'list' | 'set' | 'map'

/** Schema of a resource identity: attributes that identify a real resource. */
export interface IdentitySchema {
  readonly version: number
  readonly attributes: readonly IdentityAttribute[]
}

export interface IdentityAttribute {
  readonly name: string
  readonly type: Type
  readonly requiredForImport: boolean
  readonly optionalForImport: boolean
  readonly description: string
}
