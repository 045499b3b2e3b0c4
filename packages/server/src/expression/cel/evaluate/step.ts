import type { Meter } from '../../meter.ts'
import type { Expr } from '../syntax/syntax.ts'
import { EvaluationFailure, noSuchOverload } from './values.ts'

/** The state of an evaluation: the variables, the slots of macro variables, and the cost meter. */
export interface Frame {
  readonly values: Readonly<Record<string, unknown>>
  readonly locals: unknown[]
  readonly meter: Meter
}

/** A compiled subexpression. Throws EvaluationFailure. */
export type Step = (frame: Frame) => unknown

/** The slots of the macro variables in scope, by name. */
export type Slots = ReadonlyMap<string, number>

/** Compiles subexpressions; the interface breaks the import cycle between evaluate.ts and fold.ts. */
export interface PartCompiler {
  compile(expr: Expr, slots: Slots): Step
  /** Allocates a slot for a variable of a macro. */
  newSlot(): number
}

/** Checks that a condition is a bool. */
export function condition(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw noSuchOverload()
}

/** Runs a step and returns its value or its EvaluationFailure. */
export function attempt(step: Step, frame: Frame): unknown {
  try {
    return step(frame)
  } catch (error) {
    if (error instanceof EvaluationFailure) return error
    throw error
  }
}
