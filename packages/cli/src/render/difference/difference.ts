/** The action on a value. */
export type ValueAction = 'create' | 'update' | 'delete' | 'none'

/** A value before and after, ready to be written. */
export type Difference = Primitive | UnknownValue | SensitiveValue | Sequence | Mapping | Structure | TypeChange

interface Common {
  readonly action: ValueAction
  /** True when this value causes the replacement of the resource. */
  readonly replaces: boolean
}

/** A string, number, boolean or null. */
export interface Primitive extends Common {
  readonly kind: 'primitive'
  readonly before: unknown
  readonly after: unknown
}

/** A value that is known after apply. */
export interface UnknownValue extends Common {
  readonly kind: 'unknown'
  /** The present value, if any. */
  readonly before: Difference | undefined
}

/** A sensitive value. */
export interface SensitiveValue extends Common {
  readonly kind: 'sensitive'
}

/** A list or set. */
export interface Sequence extends Common {
  readonly kind: 'sequence'
  readonly elements: readonly Difference[]
}

/** A map: keys are data. */
export interface Mapping extends Common {
  readonly kind: 'mapping'
  readonly elements: ReadonlyMap<string, Difference>
}

/** An object or a block: keys are attribute names. */
export interface Structure extends Common {
  readonly kind: 'structure'
  readonly attributes: ReadonlyMap<string, Difference>
  /** Nested blocks by name; empty for objects that are not blocks. */
  readonly blocks: ReadonlyMap<string, readonly Difference[]>
}

/** A value that is replaced by one of another type. */
export interface TypeChange extends Common {
  readonly kind: 'type-change'
  readonly before: Difference
  readonly after: Difference
}
