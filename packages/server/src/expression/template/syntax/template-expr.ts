import type { Reference } from './reference.ts'

/** A resolved expression, the input of type check and compilation: references parsed, macros recognized, variables numbered. */
export type TemplateExpr = TemplateExprShape & {
  /** The range in the template's text. */
  readonly start: number
  readonly end: number
}

export type TemplateExprShape =
  | { readonly kind: 'literal'; readonly value: unknown }
  /** A built-in name: a type, or the namespace of functions. */
  | { readonly kind: 'constant'; readonly name: string }
  /** A variable of a macro; the slot is its nesting depth. */
  | { readonly kind: 'local'; readonly name: string; readonly slot: number }
  | {
      readonly kind: 'reference'
      readonly reference: Reference
      /** The expression of a computed instance key. */
      readonly key?: TemplateExpr
    }
  /** `operand.name` and `operand[index]`, each also with `?`. */
  | {
      readonly kind: 'access'
      readonly operand: TemplateExpr
      readonly index: string | TemplateExpr
      readonly optional: boolean
      /** The number of `[*]` before it: the access applies to the elements of lists nested that deep. */
      readonly depth: number
    }
  | { readonly kind: 'splat'; readonly operand: TemplateExpr; readonly depth: number }
  | { readonly kind: 'list'; readonly elements: readonly TemplateExpr[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [TemplateExpr, TemplateExpr])[] }
  | {
      readonly kind: 'conditional'
      readonly condition: TemplateExpr
      readonly whenTrue: TemplateExpr
      readonly whenFalse: TemplateExpr
    }
  | { readonly kind: 'and' | 'or'; readonly left: TemplateExpr; readonly right: TemplateExpr }
  | { readonly kind: 'not' | 'negate'; readonly operand: TemplateExpr }
  | {
      readonly kind: 'binary'
      readonly operator: BinaryOperator
      readonly left: TemplateExpr
      readonly right: TemplateExpr
    }
  /** True if the value exists and is not null. */
  | { readonly kind: 'has'; readonly operand: TemplateExpr }
  | { readonly kind: 'bind'; readonly slot: number; readonly value: TemplateExpr; readonly body: TemplateExpr }
  | ComprehensionShape
  | {
      readonly kind: 'call'
      readonly name: string
      /** The namespace of a library function, such as `lists` in `lists.range(3)`. */
      readonly namespace?: string
      readonly isMethod: boolean
      /** The receiver of a method is the first argument. */
      readonly args: readonly TemplateExpr[]
    }

export interface ComprehensionShape {
  readonly kind: 'comprehension'
  readonly macro: Macro
  readonly range: TemplateExpr
  /** The slot of the index or key variable, if there is one. */
  readonly keySlot?: number
  readonly itemSlot: number
  readonly filter?: TemplateExpr
  readonly body: TemplateExpr
}

export type Macro = 'all' | 'exists' | 'exists_one' | 'map' | 'filter' | 'transformMap'

export type BinaryOperator = '==' | '!=' | 'in' | '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>='
