/** A node of the syntax tree of a regular expression. */
export type Part =
  | { readonly kind: 'empty' }
  /** One character of a class. */
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'repeat'
      readonly part: Part
      readonly min: number
      /** Infinity: unlimited. */
      readonly max: number
      readonly lazy: boolean
    }
  /** A zero-width assertion; `place` is set for the start and the end of the whole text. */
  | { readonly kind: 'assert'; readonly holds: Assertion; readonly place?: Place }

/** Tests a code point for membership in a class. */
export type Accepts = (codePoint: number) => boolean

/** Tests the position between two code points; -1 stands for the outside of the text. */
export type Assertion = (before: number, after: number) => boolean

/** The two assertions that do not depend on the adjacent characters. */
export type Place = 'start' | 'end'

/** An invalid regular expression. The message is Go's. */
export class RegexpSyntaxError extends Error {}
