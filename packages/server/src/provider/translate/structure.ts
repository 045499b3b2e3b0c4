/**
 * What a value of a kind may be: a provider's attributes, blocks and types in one form, from which objects are checked,
 * merged and documented. Equal objects of one provider are one and the same structure.
 */
export type Structure = ScalarStructure | CollectionStructure | TupleStructure | ObjectStructure

export interface ScalarStructure {
  /** `dynamic`: anything. */
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
  /** Tells its content: equal for equal objects, also of other providers. */
  readonly hash: string
  /** In the order of their names. */
  readonly fields: ReadonlyMap<string, Field>
}

/** An attribute or a block. */
export interface Field {
  readonly name: string
  readonly structure: Structure
  readonly required: boolean
  /** False where only the provider gives a value. */
  readonly settable: boolean
  readonly sensitive: boolean
  /** Sent to the provider and never kept. */
  readonly writeOnly: boolean
  /** What is told to who still uses it, perhaps nothing more than that; undefined when it is not deprecated. */
  readonly deprecation: string | undefined
  readonly description: string
}

/** A structure as people write it: `list(string)`, `map(object)`. */
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
