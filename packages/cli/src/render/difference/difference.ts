/** What happens to a value. */
export type ValueAction = 'create' | 'update' | 'delete' | 'none'

/** A value before and after, ready to be written. */
export type Difference = Primitive | UnknownValue | SensitiveValue | Sequence | Mapping | Structure | TypeChange

interface Common {
  readonly action: ValueAction
  /** Whether this value is why the resource is replaced. */
  readonly replaces: boolean
}

/** A text, number or boolean, or null. */
export interface Primitive extends Common {
  readonly kind: 'primitive'
  readonly before: unknown
  readonly after: unknown
}

/** A value that is only known when it was applied. */
export interface UnknownValue extends Common {
  readonly kind: 'unknown'
  /** What it is now, if it is. */
  readonly before: Difference | undefined
}

/** A value that must not be shown. */
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

/** An object or a block: keys are names. */
export interface Structure extends Common {
  readonly kind: 'structure'
  readonly attributes: ReadonlyMap<string, Difference>
  /** Blocks by their name; an object that is no block has none. */
  readonly blocks: ReadonlyMap<string, readonly Difference[]>
}

/** Two values that have nothing in common. */
export interface TypeChange extends Common {
  readonly kind: 'type-change'
  readonly before: Difference
  readonly after: Difference
}
