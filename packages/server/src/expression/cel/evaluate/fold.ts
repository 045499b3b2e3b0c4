import { listCost } from '../cost/call-cost.ts'
import type { Call, Comprehension, Expr } from '../syntax/syntax.ts'
import { insertInto } from './standard.ts'
import { attempt, condition, type Frame, type PartCompiler, type Slots, type Step } from './step.ts'
import { EvaluationFailure, noSuchOverload } from './values.ts'

/**
 * Compiles a comprehension. Macros that collect into a list or map (`map`, `filter`, …) append to one collection; the general
 * form `accumulator + [item]` would copy it for each item, which is quadratic.
 */
export function foldStep(compiler: PartCompiler, expr: Comprehension, slots: Slots): Step {
  const { accumulator, variable, variable2 } = expr
  const outer = new Map(slots).set(accumulator, compiler.newSlot())
  const inner = new Map(outer).set(variable, compiler.newSlot())
  if (variable2 !== undefined) inner.set(variable2, compiler.newSlot())
  const at = outer.get(accumulator)!
  const parts: Fold = {
    range: compiler.compile(expr.range, slots),
    init: compiler.compile(expr.init, slots),
    accumulator: at,
    variable: inner.get(variable)!,
    variable2: variable2 === undefined ? undefined : inner.get(variable2)!,
    result: compiler.compile(expr.result, outer),
  }
  const collecting = collectingStep(compiler, expr, inner)
  if (collecting !== undefined) return (frame) => collect(parts, collecting, frame)
  const goesOn = compiler.compile(expr.condition, inner)
  const step = compiler.compile(expr.step, inner)
  return (frame) => fold(parts, goesOn, step, frame)
}

interface Fold {
  readonly range: Step
  readonly init: Step
  readonly accumulator: number
  readonly variable: number
  readonly variable2: number | undefined
  readonly result: Step
}

// An error of a step becomes the accumulator's value, because `exists` and `all` may be decided by a later item.
function fold(parts: Fold, goesOn: Step, step: Step, frame: Frame): unknown {
  const { locals } = frame
  const entries = entriesOf(parts.range(frame), parts.variable2 !== undefined)
  const kept = locals[parts.accumulator]
  locals[parts.accumulator] = parts.init(frame)
  for (const [first, second] of entries) {
    locals[parts.variable] = first
    if (parts.variable2 !== undefined) locals[parts.variable2] = second
    if (goesOn(frame) !== true) break
    locals[parts.accumulator] = attempt(step, frame)
  }
  const result = parts.result(frame)
  locals[parts.accumulator] = kept
  return result
}

interface Collecting {
  readonly test: Step | undefined
  readonly parts: readonly Step[]
  readonly into: 'list' | 'map'
}

function collect(parts: Fold, { test, parts: added, into }: Collecting, frame: Frame): unknown {
  const { locals, meter } = frame
  const entries = entriesOf(parts.range(frame), parts.variable2 !== undefined)
  const list: unknown[] = []
  const map = new Map<unknown, unknown>()
  meter.spend(into === 'list' ? listCost : 0)
  for (const [first, second] of entries) {
    locals[parts.variable] = first
    if (parts.variable2 !== undefined) locals[parts.variable2] = second
    const wanted = test === undefined || condition(test(frame))
    meter.spend(1)
    if (!wanted) continue
    const values = added.map((part) => part(frame))
    meter.spend(into === 'list' ? listCost + 1 : 1)
    if (into === 'list') list.push(values[0])
    else insertInto(map, values)
  }
  meter.spend(1)
  return into === 'list' ? list : map
}

// Recognizes `accumulator + [value]` and an insertion into the accumulator, optionally under a condition.
function collectingStep(compiler: PartCompiler, expr: Comprehension, slots: Slots): Collecting | undefined {
  const { step, accumulator } = expr
  const isAccumulator = (part: Expr | undefined) => part?.kind === 'ident' && part.name === accumulator
  if (expr.condition.kind !== 'literal' || expr.condition.value !== true || step.kind !== 'call') return undefined
  if (!isAccumulator(expr.result)) return undefined
  const tested = step.name === '_?_:_' && isAccumulator(step.args[2])
  const [test, adding] = tested ? [step.args[0], step.args[1] as Call] : [undefined, step]
  if (adding.kind !== 'call' || !isAccumulator(adding.args[0])) return undefined
  const added = addedBy(adding)
  if (added === undefined) return undefined
  return {
    test: test === undefined ? undefined : compiler.compile(test, slots),
    parts: added.map((part) => compiler.compile(part, slots)),
    into: adding.name === '_+_' ? 'list' : 'map',
  }
}

function addedBy({ name, args }: Call): readonly Expr[] | undefined {
  if (name === 'cel.@mapInsert') return args.slice(1)
  const [, list] = args
  return name === '_+_' && list?.kind === 'list' && list.elements.length === 1 && list.optional.size === 0
    ? list.elements
    : undefined
}

function* entriesOf(range: unknown, withKeys: boolean): Generator<readonly [unknown, unknown]> {
  if (Array.isArray(range)) {
    for (let at = 0; at < range.length; at++) yield withKeys ? [BigInt(at), range[at]] : [range[at], undefined]
  } else if (range instanceof Map) {
    for (const [key, value] of range) yield [key, value]
  } else {
    if (range instanceof EvaluationFailure) throw range
    throw noSuchOverload()
  }
}
