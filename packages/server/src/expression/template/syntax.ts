import type { Environment } from '@marcbachmann/cel-js'
import { foreignText } from './foreign-names.ts'
import { templateEnvironment } from './language.ts'
import { replaceSplats, splatField } from './splat.ts'
import { TemplateError } from './template.ts'

/** A part of an expression as the CEL library reads it. Places are in the expression. */
export interface Node {
  readonly op: string
  readonly args: unknown
  readonly start: number
  readonly end: number
}

/** An expression as it was read. */
export interface Syntax {
  readonly root: Node
  /** Whether a selection was written as `[*]`. */
  readonly isSplat: (node: Node) => boolean
}

/** The longest expression, in UTF-16 units. */
export const longestExpression = 16_384

/** Reads an expression that stands at a place of a template. Throws TemplateError. */
export function readSyntax(source: string, offset: number): Syntax {
  if (source.length > longestExpression) {
    throw new TemplateError(`an expression may have ${longestExpression} characters`, offset)
  }
  const { text, ends } = replaceSplats(source)
  const root = parse(text, offset, templateEnvironment())
  return {
    root,
    isSplat: ({ op, args, end }) => op === '.' && (args as [Node, string])[1] === splatField && ends.has(end),
  }
}

function parse(text: string, offset: number, environment: Environment): Node {
  try {
    return environment.parse(text).ast as Node
  } catch (error) {
    // Rows of signs such as !!!! are read by recursion, which the library does not limit.
    if (error instanceof RangeError) throw new TemplateError('the expression is nested too deeply', offset)
    const { summary, message, code, range } = error as LibraryError
    throw new TemplateError(problemText(code, summary ?? message), offset + (range?.start ?? 0))
  }
}

interface LibraryError extends Error {
  readonly code?: string
  readonly summary?: string
  readonly range?: { readonly start: number }
}

function problemText(code: string | undefined, text: string): string {
  if (code === 'limit_exceeded') return 'the expression is too large'
  // The language keeps this name for itself, so that it never comes to be a reference.
  if (code === 'reserved_identifier' && text.endsWith(': var')) return foreignText('var')
  return `cannot read the expression: ${lowerFirst(text)}`
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}
