import type { Environment } from '@marcbachmann/cel-js'
import { FunctionFailure } from './function-table.ts'

/** CEL's comprehensions over index and item, or key and value: `m.all(k, v, …)`, `l.transformList(i, v, …)` and so on. */
export function registerTwoVariables(environment: Environment): void {
  const register = (name: string, expressions: number, returns: string, collect: Collect) => {
    const signature = `list.${name}(${Array(expressions + 2)
      .fill('ast')
      .join(', ')}): ${returns}`
    environment.registerFunction(signature, (({ receiver, args }: Expansion) =>
      macro(name, receiver, args, returns, collect)) as never)
  }
  register('all', 1, 'bool', (steps) => steps.every(({ value }) => isTrue(value())))
  register('exists', 1, 'bool', (steps) => steps.some(({ value }) => isTrue(value())))
  for (const name of ['existsOne', 'exists_one']) {
    register(name, 1, 'bool', (steps) => steps.filter(({ value }) => isTrue(value())).length === 1)
  }
  register('transformList', 1, 'list<dyn>', (steps) => steps.map(({ value }) => value()))
  register('transformList', 2, 'list<dyn>', (steps) =>
    steps.flatMap(({ value, filter }) => (isTrue(filter()) ? [value()] : [])),
  )
  register('transformMap', 1, 'map<dyn, dyn>', (steps) => new Map(steps.map(({ key, value }) => [key, value()])))
  register(
    'transformMap',
    2,
    'map<dyn, dyn>',
    (steps) => new Map(steps.flatMap(({ key, value, filter }) => (isTrue(filter()) ? [[key, value()] as const] : []))),
  )
}

/** One step through a list or map; what it computes is computed when it is asked for. */
interface Step {
  readonly key: unknown
  readonly value: () => unknown
  readonly filter: () => unknown
}

type Collect = (steps: Step[]) => unknown

interface Node {
  readonly op: string
  readonly args: unknown
}

interface Type {
  readonly kind: string
  readonly keyType: Type
  readonly valueType: Type
}

interface Context {
  forkWithVariable(name: string, type: Type): Context
  reuse(parent: Context): Context
  setIterValue(value: unknown, evaluator: Evaluator): Context
}

interface Checker {
  check(node: Node, context: Context): Type
  getType(name: string): Type
}

interface Evaluator {
  run(node: Node, context: Context): unknown
}

interface Expansion {
  readonly receiver: Node
  readonly args: readonly Node[]
}

function macro(name: string, receiver: Node, args: readonly Node[], returns: string, collect: Collect) {
  const [first, second, ...expressions] = args
  const outerName = identifier(name, first!)
  const innerName = identifier(name, second!)
  const [filter, expression] = expressions.length === 2 ? expressions : [undefined, expressions[0]]
  let outer: Context
  let inner: Context
  return {
    async: false,
    typeCheck(checker: Checker, _: unknown, context: Context): Type {
      const [key, value] = stepTypes(checker, checker.check(receiver, context))
      outer = context.forkWithVariable(outerName, key)
      inner = outer.forkWithVariable(innerName, value)
      if (filter !== undefined) checker.check(filter, inner)
      checker.check(expression!, inner)
      return checker.getType(returns)
    },
    evaluate(evaluator: Evaluator, _: unknown, context: Context): unknown {
      const run = (node: Node, [key, value]: readonly [unknown, unknown]) => {
        const at = outer.reuse(context).setIterValue(key, evaluator)
        return evaluator.run(node, inner.reuse(at).setIterValue(value, evaluator))
      }
      const steps = entriesOf(evaluator.run(receiver, context)).map((entry) => ({
        key: entry[0],
        value: () => run(expression!, entry),
        filter: () => run(filter!, entry),
      }))
      return collect(steps)
    },
  }
}

function identifier(name: string, node: Node): string {
  if (node.op === 'id') return node.args as string
  throw new FunctionFailure(`${name}() variable name must be a simple identifier`)
}

function stepTypes(checker: Checker, type: Type): [Type, Type] {
  if (type.kind === 'list') return [checker.getType('int'), type.valueType]
  if (type.kind === 'map') return [type.keyType, type.valueType]
  return [checker.getType('dyn'), checker.getType('dyn')]
}

function entriesOf(value: unknown): (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return value.map((item, at) => [BigInt(at), item] as const)
  if (value instanceof Map) return [...value]
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    return Object.entries(value)
  }
  throw new FunctionFailure('no such overload')
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw new FunctionFailure('no such overload')
}
