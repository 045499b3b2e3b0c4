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
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { CostExceeded, type Meter } from '../../meter.ts'
import type { Reference } from '../syntax/reference.ts'
import { type PlacedReference, resolveExpression } from '../syntax/resolve-expression.ts'
import { isWholeExpression, parseTemplate, type Template, TemplateError } from '../syntax/template.ts'
import type { TemplateExpr } from '../syntax/template-expr.ts'
import { compileExpr } from './compile-expr.ts'
import { describe } from './describe.ts'
import { resultValue } from './result-value.ts'
import { Run, type Step } from './run.ts'
import type { ValueScope } from './value-scope.ts'

/** A compiled template, which can be evaluated any number of times. */
export interface CompiledTemplate {
  readonly template: Template
  /** All references with their positions in the text. */
  readonly references: readonly PlacedReference[]
  /** The expressions of the template, for type checks. */
  readonly exprs: readonly TemplateExpr[]
  /**
   * Evaluates the template and converts the result to the expected type by Terraform's conversion rules. A single expression
   * keeps its type, otherwise the result is a string. A single reference passes its value through unchanged, so that numbers
   * of any precision survive. Throws EvaluationFailure or CostExceeded.
   */
  evaluate(scope: ValueScope, expected: Type, meter: Meter): Evaluated
}

/** The result of a template. */
export interface Evaluated {
  readonly value: Value
  /** A sensitive value was read during the evaluation. */
  readonly sensitive: boolean
}

/** Compiles a template. Compiled templates are cached by their text. Throws TemplateError. */
export function compileTemplate(template: Template | string): CompiledTemplate {
  const text = typeof template === 'string' ? template : template.text
  const known = cache.get(text)
  if (known !== undefined) return known
  const compiled = compileOnce(typeof template === 'string' ? parseTemplate(text) : template)
  addToCache(text, compiled)
  return compiled
}

// The nesting limit doesn't prevent a stack overflow if the caller is deep in the stack already.
function compileOnce(template: Template): CompiledTemplate {
  try {
    return compile(template)
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateError('the expression is nested too deeply', 0)
    throw error
  }
}

const cache = new Map<string, CompiledTemplate>()
const maxCached = 4096
// In UTF-16 units.
const maxCachedText = 4 * 1024 * 1024
let cachedText = 0

// Evicts the oldest entries. A template in use is also referenced by its user, so nothing is recompiled while in use.
function addToCache(text: string, compiled: CompiledTemplate): void {
  cache.set(text, compiled)
  cachedText += text.length
  for (const oldest of cache.keys()) {
    if (cache.size <= maxCached && cachedText <= maxCachedText) break
    cache.delete(oldest)
    cachedText -= oldest.length
  }
}

function compile(template: Template): CompiledTemplate {
  const references: PlacedReference[] = []
  const exprs: TemplateExpr[] = []
  const pieces: (string | Step)[] = []
  for (const part of template.parts) {
    if (part.kind === 'literal') pieces.push(part.text)
    else {
      const read = resolveExpression(part.source, part.start)
      references.push(...read.references)
      exprs.push(read.expr)
      pieces.push(compileExpr(read.expr))
    }
  }
  const evaluate = isWholeExpression(template) ? evaluatorOf(exprs[0]!, pieces[0] as Step) : textEvaluator(pieces)
  return { template, references, exprs, evaluate }
}

type Evaluator = CompiledTemplate['evaluate']

function evaluatorOf(expr: TemplateExpr, step: Step): Evaluator {
  if (expr.kind === 'reference' && expr.key === undefined) return passThrough(expr.reference)
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
      throw redacted(error, run)
    }
  }
}

function textEvaluator(pieces: readonly (string | Step)[]): Evaluator {
  return (scope, expected, meter) =>
    evaluateWith(scope, meter, (run) => {
      let text: string | undefined = ''
      for (const piece of pieces) {
        const part = typeof piece === 'string' ? piece : textOf(resultValue(piece(run), run))
        // The remaining parts are evaluated even if the result is unknown: they may be sensitive, or fail.
        text = part === undefined || text === undefined ? undefined : text + part
        run.spend((part?.length ?? 0) * 0.1)
      }
      return text === undefined ? unknown : converted(text, expected)
    })
}

function textOf(value: Value): string | undefined {
  if (value === null) throw new EvaluationFailure("null can't be part of a string")
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
    // RangeError: the stack overflowed or a string exceeded V8's maximum length before the cost limit was reached.
    throw redacted(error instanceof RangeError ? new CostExceeded() : error, run)
  }
}

// The kind and text of a failure may reveal a sensitive value, so all failures of such an evaluation look alike.
function redacted(error: unknown, { sensitive }: Run): unknown {
  if (!sensitive || !(error instanceof EvaluationFailure || error instanceof CostExceeded)) return error
  return new SensitiveFailure()
}

/** A failure after a sensitive value was read. Its message does not reveal the cause. */
export class SensitiveFailure extends EvaluationFailure {
  constructor() {
    super('the evaluation failed; details are omitted because it uses a sensitive value')
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
