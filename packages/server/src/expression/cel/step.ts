import type { Meter } from '../meter.ts'
import type { Expr } from './syntax.ts'
import { EvaluationFailure, noSuchOverload } from './values.ts'

/** What an evaluation has at hand: the variables, the values of macros' variables by their slots, the budget. */
export interface Frame {
  readonly values: Readonly<Record<string, unknown>>
  readonly locals: unknown[]
  readonly meter: Meter
}

/** A part of an expression, ready to be evaluated. Throws EvaluationFailure. */
export type Step = (frame: Frame) => unknown

/** The slots of macros' variables by name, the innermost of a name. */
export type Slots = ReadonlyMap<string, number>

/** What makes parts of an expression into steps. */
export interface PartCompiler {
  compile(expr: Expr, slots: Slots): Step
  /** A slot that no other variable has. */
  newSlot(): number
}

/** A condition's value; fails for what is none. */
export function condition(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw noSuchOverload()
}

/** A step's value, or the error that it ended with. */
export function attempt(step: Step, frame: Frame): unknown {
  try {
    return step(frame)
  } catch (error) {
    if (error instanceof EvaluationFailure) return error
    throw error
  }
}
