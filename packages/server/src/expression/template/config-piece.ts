import type { Type } from '@hykube/tfplugin/value'
import { emptyObject, type Path, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { CostExceeded, type Meter } from '../meter.ts'
import { type CompiledTemplate, SensitiveFailure } from './compile-template.ts'
import type { ValueScope } from './value-scope.ts'

/** What is wrong with a part of a configuration. */
export interface ConfigProblem {
  readonly path: Path
  readonly message: string
  /** It shows only because of a sensitive value. */
  readonly sensitive?: true
}

/** A part of a configuration: a value that is always the same and is shared, or what computes it. */
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

  /** The value of a template, or null and a problem when it has none. */
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

  /** Notes a problem that shows only now. */
  refuse(path: Path, message: string): void {
    this.problems.push({ path, message })
  }
}

/** A template and where it stands. */
export interface TemplateSite {
  readonly compiled: CompiledTemplate
  readonly expected: Type
  readonly path: Path
  /** What becomes sensitive with it: the place itself, or the set that it is in, whose elements have no fixed places. */
  readonly mark: Path
}

export function constantPiece(value: Value): Piece {
  return { kind: 'constant', value }
}

export const nullPiece: Piece = constantPiece(null)

/** A list of pieces, and what is made of their values. */
export function listPiece(pieces: readonly Piece[], finish: (values: Value[]) => Value = (values) => values): Piece {
  if (pieces.every((piece) => piece.kind === 'constant')) return constantPiece(finish(pieces.map(({ value }) => value)))
  return { kind: 'computed', compute: (at) => finish(pieces.map((piece) => pieceValue(piece, at))) }
}

/** An object of pieces. What never changes is converted once; for each evaluation only the object itself is made anew. */
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

/** A piece whose value is changed. */
export function mappedPiece(piece: Piece, change: (value: Value, at: Evaluation | undefined) => Value): Piece {
  if (piece.kind === 'constant') return constantPiece(change(piece.value, undefined))
  return { kind: 'computed', compute: (at) => change(piece.compute(at), at) }
}

/** The value of a piece. */
export function pieceValue(piece: Piece, at: Evaluation): Value {
  return piece.kind === 'constant' ? piece.value : piece.compute(at)
}

/**
 * The problem of several that may be shown. Which expressions fail may follow from a sensitive value, and even where: of such
 * failures only that there is one is told.
 */
export function shownProblem(problems: readonly ConfigProblem[]): ConfigProblem | undefined {
  if (problems.length === 0) return undefined
  return problems.find(({ sensitive }) => sensitive !== true) ?? sensitiveProblem
}

const sensitiveProblem: ConfigProblem = {
  path: [],
  message: 'an expression failed, and more is not told since it touches a sensitive value',
  sensitive: true,
}

function failureText(error: unknown, { template }: CompiledTemplate): string {
  const shown = template.text.length > 200 ? `${template.text.slice(0, 197)}...` : template.text
  if (error instanceof EvaluationFailure) return `${shown}: ${error.message}`
  if (error instanceof CostExceeded) return `${shown}: the expression costs too much to evaluate: make it smaller`
  throw error
}
