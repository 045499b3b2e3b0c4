import type { Type } from './type.ts'

/** What a provider says of its configuration or of one of its types. */
export interface Schema {
  /** Raised by the provider when states of the type change their shape. */
  readonly version: number
  readonly block: Block
}

/** Attributes and nested blocks. */
export interface Block extends Documented {
  readonly attributes: readonly Attribute[]
  readonly blocks: readonly NestedBlock[]
}

/** Text for people that goes with parts of a schema. */
export interface Documented {
  readonly description: string
  readonly descriptionKind: 'plain' | 'markdown'
  readonly deprecated: boolean
  /** Empty when the provider says nothing. */
  readonly deprecationMessage: string
}

/** One attribute: of a plain type, or of nested attributes. */
export interface Attribute extends Documented {
  readonly name: string
  readonly shape: AttributeShape
  readonly required: boolean
  readonly optional: boolean
  /** The provider may give it a value; without `optional` only the provider may. */
  readonly computed: boolean
  readonly sensitive: boolean
  /** Sent to the provider and never kept. */
  readonly writeOnly: boolean
}

export type AttributeShape =
  | { readonly kind: 'plain'; readonly type: Type }
  | {
      readonly kind: 'nested'
      readonly nesting: 'single' | 'list' | 'set' | 'map'
      readonly attributes: readonly Attribute[]
    }

/** A block that may be there once, or several times. */
export interface NestedBlock {
  readonly name: string
  readonly nesting: Nesting
  readonly block: Block
  readonly minItems: number
  /** 0: any number. */
  readonly maxItems: number
}

/** `group` is a single object that is always there. */
export type Nesting = 'single' | 'group' | 'list' | 'set' | 'map'

/** How objects of a type are told apart in the outside world. */
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
