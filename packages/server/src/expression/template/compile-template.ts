import {
  convertValue,
  isUnknown,
  stringType,
  type Type,
  typeToText,
  unknown,
  type Value,
  ValueError,
} from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { CostExceeded, type Meter } from '../meter.ts'
import { compileFormula } from './compile-formula.ts'
import { describe } from './describe.ts'
import type { Formula } from './formula.ts'
import { type PlacedReference, readExpression } from './read-formula.ts'
import type { Reference } from './reference.ts'
import { resultValue } from './result-value.ts'
import { Run, type Step } from './run.ts'
import { isWholeExpression, parseTemplate, type Template, TemplateError } from './template.ts'
import type { ValueScope } from './value-scope.ts'

/** A template that can be evaluated any number of times. */
export interface CompiledTemplate {
  readonly template: Template
  /** Every reference as it stands, with its place in the text. */
  readonly references: readonly PlacedReference[]
  /** Its expressions, as their types are found. */
  readonly formulas: readonly Formula[]
  /**
   * Evaluates. One whole expression keeps its value, anything else is text; then it is converted to the expected type by
   * the rules of configuration languages. A whole reference passes its value through untouched. Throws EvaluationFailure
   * when there is no value or no conversion, and CostExceeded.
   */
  evaluate(scope: ValueScope, expected: Type, meter: Meter): Evaluated
}

/** What a template gives. */
export interface Evaluated {
  readonly value: Value
  /** Whether anything sensitive was touched on the way. */
  readonly sensitive: boolean
}

/** Compiles a template, once for each text as long as it is remembered. Throws TemplateError. */
export function compileTemplate(template: Template | string): CompiledTemplate {
  const text = typeof template === 'string' ? template : template.text
  const known = remembered.get(text)
  if (known !== undefined) return known
  const compiled = compileOnce(typeof template === 'string' ? parseTemplate(text) : template)
  remember(text, compiled)
  return compiled
}

// How deep an expression may be depends on how deep the stack is already.
function compileOnce(template: Template): CompiledTemplate {
  try {
    return compile(template)
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateError('the expression is nested too deeply', 0)
    throw error
  }
}

const remembered = new Map<string, CompiledTemplate>()
const mostRemembered = 4096
const mostRememberedText = 4 * 1024 * 1024
let rememberedText = 0

// The oldest go first. A template that is in use is held by its user anyway.
function remember(text: string, compiled: CompiledTemplate): void {
  remembered.set(text, compiled)
  rememberedText += text.length
  for (const oldest of remembered.keys()) {
    if (remembered.size <= mostRemembered && rememberedText <= mostRememberedText) break
    remembered.delete(oldest)
    rememberedText -= oldest.length
  }
}

function compile(template: Template): CompiledTemplate {
  const references: PlacedReference[] = []
  const formulas: Formula[] = []
  const pieces: (string | Step)[] = []
  for (const part of template.parts) {
    if (part.kind === 'literal') pieces.push(part.text)
    else {
      const read = readExpression(part.source, part.start)
      references.push(...read.references)
      formulas.push(read.formula)
      pieces.push(compileFormula(read.formula))
    }
  }
  const evaluate = isWholeExpression(template) ? evaluatorOf(formulas[0]!, pieces[0] as Step) : textEvaluator(pieces)
  return { template, references, formulas, evaluate }
}

type Evaluator = CompiledTemplate['evaluate']

function evaluatorOf(formula: Formula, step: Step): Evaluator {
  if (formula.kind === 'reference' && formula.key === undefined) return passThrough(formula.reference)
  return (scope, expected, meter) =>
    evaluateWith(scope, meter, (run) => converted(resultValue(step(run), run), expected))
}

function passThrough(reference: Reference): Evaluator {
  return (scope, expected, meter) => {
    const run = new Run(scope, meter)
    try {
      const value = converted(run.lookup(reference), expected)
      return { value, sensitive: run.sensitive }
    } catch (error) {
      throw discreet(error, run)
    }
  }
}

function textEvaluator(pieces: readonly (string | Step)[]): Evaluator {
  return (scope, expected, meter) =>
    evaluateWith(scope, meter, (run) => {
      let text: string | undefined = ''
      for (const piece of pieces) {
        const part = typeof piece === 'string' ? piece : textOf(resultValue(piece(run), run))
        // The others are evaluated all the same: they may be sensitive, or fail.
        text = part === undefined || text === undefined ? undefined : text + part
        run.spend((part?.length ?? 0) * 0.1)
      }
      return text === undefined ? unknown : converted(text, expected)
    })
}

function textOf(value: Value): string | undefined {
  if (value === null) throw new EvaluationFailure("a null can't be part of a text")
  const text = converted(value, stringType)
  return isUnknown(text) ? undefined : (text as string)
}

function evaluateWith(scope: ValueScope, meter: Meter, compute: (run: Run) => Value): Evaluated {
  const run = new Run(scope, meter)
  try {
    meter.begin()
    const value = compute(run)
    return { value, sensitive: run.sensitive }
  } catch (error) {
    // The stack or the longest string came to its end before the budget did.
    throw discreet(error instanceof RangeError ? new CostExceeded() : error, run)
  }
}

// A sensitive value may decide how an evaluation fails, so that all its failures are one.
function discreet(error: unknown, { sensitive }: Run): unknown {
  if (!sensitive || !(error instanceof EvaluationFailure || error instanceof CostExceeded)) return error
  return new SensitiveFailure()
}

/** A failure after something sensitive was touched. It says nothing of its cause. */
export class SensitiveFailure extends EvaluationFailure {
  constructor() {
    super('it failed, and more is not told since it touches a sensitive value')
    this.name = 'SensitiveFailure'
  }
}

function converted(value: Value, expected: Type): Value {
  try {
    return convertValue(value, expected)
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    const place = error.path.length === 0 ? '' : ` (${error.message})`
    throw new EvaluationFailure(`${typeToText(expected)} is expected here, not ${describe(value)}${place}`)
  }
}
