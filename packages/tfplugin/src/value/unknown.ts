import type { Decimal } from './decimal.ts'

/** Constraints known about an unknown value; an absent field is no constraint. */
export interface Refinement {
  /** The value will not be null. */
  readonly notNull?: boolean
  /** The string will start with this prefix. */
  readonly prefix?: string
  /** Bounds of a number. */
  readonly minimum?: NumberBound
  readonly maximum?: NumberBound
  /** Bounds of the length of a list, set or map. */
  readonly minimumLength?: number
  readonly maximumLength?: number
}

/** One end of a number range. */
export interface NumberBound {
  readonly value: Decimal
  readonly inclusive: boolean
}

/** A value that becomes known only during apply. */
export class Unknown {
  readonly refinement: Refinement | undefined

  constructor(refinement?: Refinement) {
    this.refinement = refinement
  }

  toString(): string {
    return '(known after apply)'
  }
}

/** The unknown value without refinements. */
export const unknown: Unknown = new Unknown()

/** Returns true when the value itself is unknown. A known value may have unknown parts: see isWhollyKnown. */
export function isUnknown(value: unknown): value is Unknown {
  return value instanceof Unknown
}
