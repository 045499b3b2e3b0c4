/**
 * The type of a value in a kind: attributes, nested blocks and types of a provider's schema in one form, which validation,
 * server-side apply and OpenAPI share. Equal objects of one provider are the same instance.
 */
export type Structure = ScalarStructure | CollectionStructure | TupleStructure | ObjectStructure

export interface ScalarStructure {
  /** `dynamic` accepts any value. */
  readonly kind: 'string' | 'number' | 'bool' | 'dynamic'
}

export interface CollectionStructure {
  readonly kind: 'list' | 'set' | 'map'
  readonly element: Structure
  /** 0: any number. */
  readonly minItems: number
  /** 0: any number. */
  readonly maxItems: number
}

export interface TupleStructure {
  readonly kind: 'tuple'
  readonly elements: readonly Structure[]
}

export interface ObjectStructure {
  readonly kind: 'object'
  /** A hash of the content, equal for equal objects of all providers. */
  readonly hash: string
  /** Sorted by name. */
  readonly fields: ReadonlyMap<string, Field>
}

/** An attribute or a block. */
export interface Field {
  readonly name: string
  readonly structure: Structure
  readonly required: boolean
  /** False for attributes that only the provider sets. */
  readonly settable: boolean
  readonly sensitive: boolean
  /** Sent to the provider and never stored. */
  readonly writeOnly: boolean
  /** The deprecation message, which may be empty; undefined if the field is not deprecated. */
  readonly deprecation: string | undefined
  readonly description: string
}

/** Formats a structure as in Terraform's type syntax: `list(string)`, `map(object)`. */
export function structureToText(structure: Structure): string {
  switch (structure.kind) {
    case 'list':
    case 'set':
    case 'map':
      return `${structure.kind}(${structureToText(structure.element)})`
    case 'tuple':
      return `tuple([${structure.elements.map(structureToText).join(', ')}])`
    case 'dynamic':
      return 'any'
    default:
      return structure.kind
  }
}
