import type { Type } from '@hykube/tfplugin/value'
import { emptyObject, type Path, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { CostExceeded, type Meter } from '../../meter.ts'
import { type CompiledTemplate, SensitiveFailure } from '../evaluate/compile-template.ts'
import type { ValueScope } from '../evaluate/value-scope.ts'

/** An error at a path of a configuration. */
export interface ConfigProblem {
  readonly path: Path
  readonly message: string
  /** The error depends on a sensitive value, so even its path may reveal something. */
  readonly sensitive?: true
}

/** A compiled part of a configuration: a constant, which all evaluations share, or a function of the evaluation. */
export type Piece =
  | { readonly kind: 'constant'; readonly value: Value }
  | { readonly kind: 'computed'; readonly compute: (at: Evaluation) => Value }

/** One evaluation of a configuration. */
export class Evaluation {
  readonly #scope: ValueScope
  readonly #meter: Meter
  readonly sensitive: Path[] = []
  readonly problems: ConfigProblem[] = []

  constructor(scope: ValueScope, meter: Meter) {
    this.#scope = scope
    this.#meter = meter
  }

  /** Evaluates a template; on failure records a problem and returns null. */
  template({ compiled, expected, path, mark }: TemplateSite): Value {
    try {
      const { value, sensitive } = compiled.evaluate(this.#scope, expected, this.#meter)
      if (sensitive) this.sensitive.push(mark)
      return value
    } catch (error) {
      const isSensitive = error instanceof SensitiveFailure
      if (isSensitive) this.sensitive.push(mark)
      this.problems.push({ path, message: failureText(error, compiled), ...(isSensitive && { sensitive: true }) })
      return null
    }
  }

  /** Records a problem found during evaluation. */
  refuse(path: Path, message: string): void {
    this.problems.push({ path, message })
  }
}

/** A template and its position in the configuration. */
export interface TemplateSite {
  readonly compiled: CompiledTemplate
  readonly expected: Type
  readonly path: Path
  /** The path to mark as sensitive: its own, or that of the enclosing set, whose elements have no stable paths. */
  readonly mark: Path
}

export function constantPiece(value: Value): Piece {
  return { kind: 'constant', value }
}

export const nullPiece: Piece = constantPiece(null)

/** A list; `finish` converts the evaluated elements, for example to a canonical set. */
export function listPiece(pieces: readonly Piece[], finish: (values: Value[]) => Value = (values) => values): Piece {
  if (pieces.every((piece) => piece.kind === 'constant')) return constantPiece(finish(pieces.map(({ value }) => value)))
  return { kind: 'computed', compute: (at) => finish(pieces.map((piece) => pieceValue(piece, at))) }
}

/** An object. Constant members are computed once; each evaluation creates only the object and its computed members. */
export function objectPiece(members: readonly (readonly [string, Piece])[]): Piece {
  const fixed = emptyObject()
  const computed: [string, (at: Evaluation) => Value][] = []
  for (const [name, piece] of members) {
    fixed[name] = piece.kind === 'constant' ? piece.value : null
    if (piece.kind === 'computed') computed.push([name, piece.compute])
  }
  if (computed.length === 0) return constantPiece(fixed)
  const names = Object.keys(fixed)
  return {
    kind: 'computed',
    compute(at) {
      const object = emptyObject()
      for (const name of names) object[name] = fixed[name]!
      for (const [name, compute] of computed) object[name] = compute(at)
      return object
    },
  }
}

/** Applies a function to the value. `at` is undefined if the value is constant. */
export function mappedPiece(piece: Piece, change: (value: Value, at: Evaluation | undefined) => Value): Piece {
  if (piece.kind === 'constant') return constantPiece(change(piece.value, undefined))
  return { kind: 'computed', compute: (at) => change(piece.compute(at), at) }
}

/** Evaluates a part. */
export function pieceValue(piece: Piece, at: Evaluation): Value {
  return piece.kind === 'constant' ? piece.value : piece.compute(at)
}

/**
 * Selects the problem to report. The path of a failure may depend on a sensitive value (which element of a list failed), so
 * such failures are reported without path and cause.
 */
export function reportableProblem(problems: readonly ConfigProblem[]): ConfigProblem | undefined {
  if (problems.length === 0) return undefined
  return problems.find(({ sensitive }) => sensitive !== true) ?? sensitiveProblem
}

const sensitiveProblem: ConfigProblem = {
  path: [],
  message: 'an expression failed; details are omitted because it uses a sensitive value',
  sensitive: true,
}

function failureText(error: unknown, { template }: CompiledTemplate): string {
  const shown = template.text.length > 200 ? `${template.text.slice(0, 197)}...` : template.text
  if (error instanceof EvaluationFailure) return `${shown}: ${error.message}`
  if (error instanceof CostExceeded) return `${shown}: the expression exceeds the cost limit; simplify it`
  throw error
}
