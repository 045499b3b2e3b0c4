/** A part of a regular expression. */
export type Part =
  | { readonly kind: 'empty' }
  /** One character out of some. */
  | { readonly kind: 'one'; readonly accepts: Accepts }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'repeat'
      readonly part: Part
      readonly min: number
      /** Infinity: as often as it likes. */
      readonly max: number
      readonly lazy: boolean
    }
  /** A place between characters; `place` where it is the start or the end of the whole text. */
  | { readonly kind: 'assert'; readonly holds: Assertion; readonly place?: Place }

/** Whether a character, given by its code point, is one of those meant. */
export type Accepts = (codePoint: number) => boolean

/** Whether a place between two characters (-1: none) is one of those meant. */
export type Assertion = (before: number, after: number) => boolean

/** The two places that need no look at the characters beside them. */
export type Place = 'start' | 'end'

/** Why a text is no regular expression. */
export class RegexpSyntaxError extends Error {}
