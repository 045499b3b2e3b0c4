import type { Decimal } from './decimal.ts'

/** What is known of a value that is not known yet. Everything that is absent is not known either. */
export interface Refinement {
  /** The value will not be null. */
  readonly notNull?: boolean
  /** What a string will begin with. */
  readonly prefix?: string
  /** Bounds of a number. */
  readonly minimum?: NumberBound
  readonly maximum?: NumberBound
  /** Bounds of the length of a list, set or map. */
  readonly minimumLength?: number
  readonly maximumLength?: number
}

/** One end of a range of numbers. */
export interface NumberBound {
  readonly value: Decimal
  readonly inclusive: boolean
}

/** A value that is known only after something was applied. */
export class Unknown {
  readonly refinement: Refinement | undefined

  constructor(refinement?: Refinement) {
    this.refinement = refinement
  }

  toString(): string {
    return '(known after apply)'
  }
}

/** The unknown value of which nothing is known. */
export const unknown: Unknown = new Unknown()

/** Whether a value is not known. Its parts, if it has any, may still be: see isWhollyKnown. */
export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown
}
