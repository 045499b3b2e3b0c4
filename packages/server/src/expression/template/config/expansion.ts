import { compareUtf8 } from '@hykube/machinery/base'
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  attributeStep,
  convertValue,
  Decimal,
  dynamicType,
  indexStep,
  isList,
  isObject,
  isUnknown,
  keyStep,
  numberType,
  type Path,
  stringType,
  Typed,
  type Value,
} from '@hykube/tfplugin/value'
import type { Meter } from '../../meter.ts'
import type { Evaluated } from '../evaluate/compile-template.ts'
import { describe } from '../evaluate/describe.ts'
import type { ValueScope } from '../evaluate/value-scope.ts'
import type { Reference } from '../syntax/reference.ts'
import { type ConfigProblem, Evaluation, type Piece, pieceValue, reportableProblem } from './config-piece.ts'
import { describeJson, type Place, ValueCompiler } from './value-compiler.ts'

/** The compiled `count` or `for_each` of a resource. */
export type Expansion =
  | { readonly kind: 'single' }
  | ExpansionOf<'count'>
  | ExpansionOf<'for_each'>
  /** `count` or `for_each` is invalid independent of referenced values. */
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }

export interface ExpansionOf<Kind extends 'count' | 'for_each'> {
  readonly kind: Kind
  readonly references: readonly Reference[]
  /** Evaluates to the instances, at most `limit` of them. Never throws; errors are in the result. */
  evaluate(scope: ValueScope, meter: Meter, limit?: number): ExpansionResult
}

/** The evaluated instances of a resource. */
export type ExpansionResult =
  | { readonly kind: 'count'; readonly count: number }
  /** Sorted by key. */
  | { readonly kind: 'for_each'; readonly entries: ReadonlyMap<string, Evaluated> }
  /** Known only after apply: the resource is deferred. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly problem: ConfigProblem }

/** The default limit of instances of one resource. */
export const maxInstances = 1_000_000

/** Compiles `count` and `for_each` of a spec. */
export function expansionOf(spec: JsonObject): Expansion {
  const count = getOwn(spec, 'count') ?? null
  const forEach = getOwn(spec, 'for_each') ?? null
  if (count !== null && forEach !== null)
    return { kind: 'invalid', problems: [{ path: forEachPath, message: "count and for_each can't be combined" }] }
  if (count !== null) return countExpansion(count)
  return forEach === null ? { kind: 'single' } : forEachExpansion(forEach)
}

const countPath: Path = [attributeStep('count')]
const forEachPath: Path = [attributeStep('for_each')]

function countExpansion(json: JsonValue): Expansion {
  const compiler = new ValueCompiler()
  const piece = compiler.typed(json, numberType, { path: countPath })
  return expansion('count', compiler, (evaluation, limit) => {
    const value = pieceValue(piece, evaluation)
    if (evaluation.sensitive.length > 0) throw new ExpansionError('count must not depend on sensitive values')
    if (isUnknown(value)) return { kind: 'unknown' }
    if (!(value instanceof Decimal)) throw new ExpansionError('count must be a number, not null')
    return { kind: 'count', count: checkedCount(value, limit) }
  })
}

function checkedCount(value: Decimal, limit: number): number {
  if (!value.isInteger) throw new ExpansionError(`count must be a whole number, not ${value}`)
  if (value.compare(Decimal.zero) < 0) throw new ExpansionError(`count must not be negative, and is ${value}`)
  return checkedSize(value.toNumber(), limit)
}

function checkedSize(size: number, limit: number): number {
  if (size > limit) throw new ExpansionError(`${size} instances exceed the limit of ${limit}`)
  return size
}

function forEachExpansion(json: JsonValue): Expansion {
  const compiler = new ValueCompiler()
  const read = forEachReader(json, compiler)
  if (read === undefined) {
    const message = `for_each must be a map or a list of strings, not ${describeJson(json)}`
    return { kind: 'invalid', problems: [{ path: forEachPath, message }] }
  }
  return expansion('for_each', compiler, (evaluation, limit) => {
    const entries = read(evaluation)
    if (isUnknown(entries)) return { kind: 'unknown' }
    checkedSize(entries.length, limit)
    return { kind: 'for_each', entries: new Map(entries.sort(([a], [b]) => compareUtf8(a, b))) }
  })
}

type Entries = [string, Evaluated][]
type ReadEntries = (evaluation: Evaluation) => Entries | Extract<Value, { refinement: unknown }>

function forEachReader(json: JsonValue, compiler: ValueCompiler): ReadEntries | undefined {
  const place: Place = { path: forEachPath }
  if (typeof json === 'string') return wholeReader(compiler.text(json, dynamicType, place))
  if (Array.isArray(json)) {
    const items = json.map((item, index) =>
      compiler.typed(item, stringType, { path: [...forEachPath, indexStep(index)] }),
    )
    return (evaluation) =>
      keysOnly(
        items.map((item) => pieceValue(item, evaluation)),
        evaluation,
      )
  }
  return isJsonObject(json) ? mapReader(json, compiler) : undefined
}

// The keys of a map literal are always known, so its values may be sensitive or unknown.
function mapReader(json: JsonObject, compiler: ValueCompiler): ReadEntries {
  const pieces = Object.keys(json).map((key): [string, Piece] => [
    key,
    compiler.inferred(json[key]!, { path: [...forEachPath, keyStep(key)] }),
  ])
  return (evaluation) =>
    pieces.map(([key, piece]) => {
      const before = evaluation.sensitive.length
      const value = convertValue(pieceValue(piece, evaluation), dynamicType)
      return [key, { value, sensitive: evaluation.sensitive.length > before }]
    })
}

function wholeReader(piece: Piece): ReadEntries {
  return (evaluation) => {
    const given = pieceValue(piece, evaluation)
    const value = given instanceof Typed ? given.value : given
    if (isList(value)) return keysOnly(value, evaluation)
    refuseSensitive(evaluation)
    if (isUnknown(value)) return value
    if (!isObject(value))
      throw new ExpansionError(`for_each must be a map or a list of strings, not ${describe(value)}`)
    return Object.keys(value).map((key) => [key, { value: convertValue(value[key]!, dynamicType), sensitive: false }])
  }
}

function keysOnly(items: readonly Value[], evaluation: Evaluation): ReturnType<ReadEntries> {
  refuseSensitive(evaluation)
  const unsupported = items.find((item) => typeof item !== 'string' && !isUnknown(item))
  if (unsupported !== undefined)
    throw new ExpansionError(`a list in for_each must contain strings, not ${describe(unsupported)}`)
  return items.find(isUnknown) ?? [...new Set(items as string[])].map((key) => [key, { value: key, sensitive: false }])
}

function refuseSensitive({ sensitive }: Evaluation): void {
  if (sensitive.length > 0)
    throw new ExpansionError('for_each must not depend on sensitive values, because its keys are shown')
}

/** Ends an evaluation with a problem. */
class ExpansionError extends Error {}

function expansion(
  kind: 'count' | 'for_each',
  { sites, problems }: ValueCompiler,
  compute: (evaluation: Evaluation, limit: number) => ExpansionResult,
): Expansion {
  const references = sites.flatMap(({ compiled }) => compiled.references.map(({ reference }) => reference))
  const path = kind === 'count' ? countPath : forEachPath
  const own = references.some(({ kind: of }) => of === 'each' || of === 'count')
  const all = own ? [...problems, { path, message: `${kind} can't refer to each or count` }] : problems
  if (all.length > 0) return { kind: 'invalid', problems: all }
  const evaluate = (scope: ValueScope, meter: Meter, limit: number = maxInstances): ExpansionResult => {
    const evaluation = new Evaluation(scope, meter)
    try {
      const result = compute(evaluation, limit)
      const problem = reportableProblem(evaluation.problems)
      return problem === undefined ? result : { kind: 'refused', problem }
    } catch (error) {
      if (!(error instanceof ExpansionError)) throw error
      const problem = evaluation.problems.find(({ sensitive }) => sensitive !== true)
      return { kind: 'refused', problem: problem ?? { path, message: error.message } }
    }
  }
  return { kind, references, evaluate }
}
