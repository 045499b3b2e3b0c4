import type { Environment } from '@marcbachmann/cel-js'
import { matchesName } from './library/regex.ts'
import { fieldsOfType } from './schema-types.ts'

/** A part of a parsed expression, as far as it is touched here. */
interface Node {
  readonly op: string
  readonly args: unknown
  setMeta(name: string, value: unknown): Node
}

interface Type {
  readonly kind: string
  readonly name: string
  fieldLazy(value: unknown, field: string, node: Node, evaluator: Evaluator): unknown
}

interface Checker {
  check(node: Node, context: unknown): Type
  getType(name: string): Type
  createError(code: string, message: string, node: Node): Error
}

interface Evaluator {
  run(node: Node, context: unknown): unknown
  debugType(value: unknown): Type
}

/**
 * Puts our own in place of what the CEL library does too narrowly: `matches`, which a pattern can make run for ever, and
 * `has`, which takes any field name and no operand but a variable. Done once, between reading and checking. What macros
 * were expanded to shares its parts with what they were written as, so this reaches all.
 */
export function prepareSyntax(part: unknown, environment: Environment): void {
  if (typeof part !== 'object' || part === null) return
  if (Array.isArray(part)) {
    for (const each of part) prepareSyntax(each, environment)
    return
  }
  const node = part as Node
  const { op, args } = node
  if (op === 'rcall' && Array.isArray(args) && args[0] === 'matches') args[0] = matchesName
  if (op === 'call' && Array.isArray(args) && args[0] === 'has') {
    const [selection] = args[1] as Node[]
    if (selection !== undefined) node.setMeta('macro', presenceMacro(selection, environment)).setMeta('async', false)
  }
  prepareSyntax(args, environment)
}

function presenceMacro(selection: Node, environment: Environment) {
  const [operand, field] = selection.args as [Node, string]
  return {
    typeCheck(checker: Checker, _: unknown, context: unknown): Type {
      if (selection.op !== '.')
        throw checker.createError('invalid_macro_argument', 'invalid argument to has() macro', selection)
      const type = checker.check(operand, context)
      const fields = fieldsOfType(environment, type.name)
      if (fields !== undefined ? fields[field] === undefined : !openKinds.has(type.kind)) {
        throw checker.createError('no_such_key', `No such key: ${field}`, selection)
      }
      return checker.getType('bool')
    },
    evaluate(evaluator: Evaluator, _: unknown, context: unknown): boolean {
      const value = evaluator.run(operand, context)
      return evaluator.debugType(value).fieldLazy(value, field, selection, evaluator) !== undefined
    },
  }
}

const openKinds = new Set(['map', 'dyn', 'optional', 'message'])
