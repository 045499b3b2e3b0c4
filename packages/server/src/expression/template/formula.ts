import type { Reference } from './reference.ts'

/** An expression as it is evaluated and as its type is found: references read, macros recognised, variables counted. */
export type Formula = FormulaShape & {
  /** From where to where in the template. */
  readonly start: number
  readonly end: number
}

export type FormulaShape =
  | { readonly kind: 'literal'; readonly value: unknown }
  /** A name that the language has: a type, or what functions are called on. */
  | { readonly kind: 'constant'; readonly name: string }
  /** A variable of a macro; the slot is how many stand around it. */
  | { readonly kind: 'local'; readonly name: string; readonly slot: number }
  | {
      readonly kind: 'reference'
      readonly reference: Reference
      /** What computes the key of an instance. */
      readonly key?: Formula
    }
  /** `operand.name` and `operand[index]`, each also with `?`. */
  | {
      readonly kind: 'access'
      readonly operand: Formula
      readonly index: string | Formula
      readonly optional: boolean
      /** How many `[*]` stand before it: it is done to the elements of so many lists in lists. */
      readonly depth: number
    }
  | { readonly kind: 'splat'; readonly operand: Formula; readonly depth: number }
  | { readonly kind: 'list'; readonly elements: readonly Formula[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [Formula, Formula])[] }
  | {
      readonly kind: 'conditional'
      readonly condition: Formula
      readonly whenTrue: Formula
      readonly whenFalse: Formula
    }
  | { readonly kind: 'and' | 'or'; readonly left: Formula; readonly right: Formula }
  | { readonly kind: 'not' | 'negate'; readonly operand: Formula }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Formula; readonly right: Formula }
  /** Whether there is a value that is not null. */
  | { readonly kind: 'has'; readonly operand: Formula }
  | { readonly kind: 'bind'; readonly slot: number; readonly value: Formula; readonly body: Formula }
  | ComprehensionShape
  | {
      readonly kind: 'call'
      readonly name: string
      /** The name that a function of a library is called on, as `lists` in `lists.range(3)`. */
      readonly namespace?: string
      readonly isMethod: boolean
      /** With the receiver, if there is one, as the first. */
      readonly args: readonly Formula[]
    }

export interface ComprehensionShape {
  readonly kind: 'comprehension'
  readonly macro: Macro
  readonly range: Formula
  /** The slot of the index or key, when it was given a name. */
  readonly keySlot?: number
  readonly itemSlot: number
  readonly filter?: Formula
  readonly body: Formula
}

export type Macro = 'all' | 'exists' | 'exists_one' | 'map' | 'filter' | 'transformMap'

export type BinaryOperator = '==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='
