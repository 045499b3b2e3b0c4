import type { Environment } from '@marcbachmann/cel-js'
import { CostExceeded, Meter, traversalCost } from './meter.ts'

/** What the evaluator of the CEL library lets us see: every step but the outermost goes through `run`. */
interface Evaluator {
  run(node: Node, context: unknown): unknown
  tryEval(node: Node, context: unknown): unknown
}

interface Node {
  readonly op: string
  readonly left?: Node
  readonly right?: Node
  readonly receiverWithArgs?: readonly Node[]
  readonly args: unknown
  evaluate(evaluator: Evaluator, node: Node, context: unknown): unknown
}

/** The name of the function through which an environment shows its evaluator. */
const probe = 'hykubeEvaluatorProbe'

let seen: Evaluator | undefined
let current = new Meter()

/** Makes an environment, and those made from it, able to be metered. */
export function registerProbe(environment: Environment): void {
  environment.registerFunction(`${probe}(): bool`, function (this: unknown) {
    seen = this as Evaluator
    return true
  })
}

/**
 * Counts every step of an environment's evaluations. The library has no limits of its own, so its evaluator is asked for
 * by a function call, and its steps are counted as they are taken.
 */
export function meterEnvironment(environment: Environment): void {
  environment.evaluate(`${probe}()`)
  const evaluator = seen!
  const traversed = new WeakSet<Node>()
  const marked = new WeakSet<Node>()
  evaluator.run = (node, context) => {
    current.spend(1)
    if (!marked.has(node)) {
      marked.add(node)
      for (const operand of operandsOf(node)) traversed.add(operand)
    }
    const value = node.evaluate(evaluator, node, context)
    if (traversed.has(node)) current.spend(traversalCost(value))
    return value
  }
  // A failure on one side of || and && is forgiven when the other side decides; running out of budget never is.
  evaluator.tryEval = (node, context) => {
    try {
      return evaluator.run(node, context)
    } catch (error) {
      if (error instanceof CostExceeded) throw error
      return error
    }
  }
}

/** Evaluates under a meter. Evaluation is synchronous, so there is one at a time. */
export function withMeter<T>(meter: Meter, evaluate: () => T): T {
  const before = current
  current = meter
  meter.begin()
  try {
    return evaluate()
  } finally {
    current = before
  }
}

/** Counts what a function costs beyond its arguments. */
export function spend(cost: number): void {
  current.spend(cost)
}

const traversingOperators = new Set(['==', '!=', 'in', '+', '<', '<=', '>', '>='])

// What these operations and all functions do grows with the size of their operands.
function operandsOf(node: Node): readonly Node[] {
  if (node.receiverWithArgs !== undefined) return node.receiverWithArgs
  if (node.op === 'call') return (node.args as [string, Node[]])[1]
  return traversingOperators.has(node.op) ? (node.args as [Node, Node]) : []
}
