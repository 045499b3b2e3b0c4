import { isUnknown, unknown } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { constantOf } from '../syntax/language.ts'
import type { Reference, ResourceReference } from '../syntax/reference.ts'
import { TemplateError } from '../syntax/template.ts'
import type { TemplateExpr } from '../syntax/template-expr.ts'
import { access, accessOptional, project, splatted } from './access.ts'
import { asCondition, attempt, evaluateComprehension, mappingOf } from './comprehension.ts'
import { describe } from './describe.ts'
import { callFunction } from './functions.ts'
import { hasFunction } from './library-call.ts'
import { isNumber, languageNumber } from './numbers.ts'
import { negate, operate } from './operators.ts'
import { type Step, withoutType } from './run.ts'

/** Compiles an expression to closures. Throws TemplateError for unknown functions. */
export function compileExpr(expr: TemplateExpr): Step {
  switch (expr.kind) {
    case 'literal': {
      const { value } = expr
      return () => value
    }
    case 'constant': {
      const value = constantOf(expr.name)
      return () => value
    }
    case 'local': {
      const { slot } = expr
      return (run) => run.locals[slot]
    }
    case 'reference':
      return compileReference(expr)
    case 'access':
      return compileAccess(expr)
    case 'splat': {
      const operand = compileExpr(expr.operand)
      const { depth } = expr
      return (run) =>
        project(operand(run), depth, (value) => (isUnknown(withoutType(value)) ? unknown : splatted(value)))
    }
    case 'list': {
      const elements = expr.elements.map(compileExpr)
      return (run) => elements.map((element) => element(run))
    }
    case 'map':
      return compileMap(expr)
    case 'conditional':
      return compileConditional(expr)
    case 'and':
    case 'or':
      return compileLogic(expr)
    case 'not': {
      const operand = compileExpr(expr.operand)
      return (run) => {
        const value = asCondition(operand(run))
        return isUnknown(value) ? value : !value
      }
    }
    case 'negate': {
      const operand = compileExpr(expr.operand)
      return (run) => negate(operand(run))
    }
    case 'binary': {
      const { operator } = expr
      const left = compileExpr(expr.left)
      const right = compileExpr(expr.right)
      return (run) => operate(operator, left(run), right(run), run)
    }
    case 'has':
      return compileHas(expr)
    case 'bind': {
      const { slot } = expr
      const value = compileExpr(expr.value)
      const body = compileExpr(expr.body)
      return (run) => {
        run.locals[slot] = value(run)
        return body(run)
      }
    }
    case 'comprehension':
      return compileComprehension(expr)
    case 'call':
      return compileCall(expr)
  }
}

type Of<Kind extends TemplateExpr['kind']> = Extract<TemplateExpr, { kind: Kind }>

function compileReference({ reference, key: keyExpr }: Of<'reference'>): Step {
  if (keyExpr === undefined) return (run) => run.lookup(reference)
  const key = compileExpr(keyExpr)
  return (run) => {
    const instance = withKey(reference as ResourceReference, key(run))
    return instance === undefined ? unknown : run.lookup(instance)
  }
}

/** The reference to the instance with a computed key; undefined if the key is unknown. */
function withKey(reference: ResourceReference, given: unknown): Reference | undefined {
  const key = withoutType(given)
  if (isUnknown(key)) return undefined
  if (typeof key === 'string') return { ...reference, instance: { kind: 'key', key } }
  const number = isNumber(key) ? Number(typeof key === 'object' ? languageNumber(key) : key) : Number.NaN
  if (Number.isSafeInteger(number) && number >= 0) return { ...reference, instance: { kind: 'key', key: number } }
  throw new EvaluationFailure(`the key of an instance must be a whole number or a string, not ${describe(key)}`)
}

function compileAccess({ operand: operandExpr, index, optional, depth }: Of<'access'>): Step {
  const operand = compileExpr(operandExpr)
  const key: Step = typeof index === 'string' ? () => index : compileExpr(index)
  const take = optional ? accessOptional : access
  if (depth === 0) return (run) => take(operand(run), key(run))
  return (run) => {
    const at = key(run)
    return project(operand(run), depth, (value) => take(value, at))
  }
}

function compileMap({ entries: exprs }: Of<'map'>): Step {
  const entries = exprs.map(([key, value]) => [compileExpr(key), compileExpr(value)] as const)
  return (run) => {
    const made: (readonly [unknown, unknown])[] = []
    for (const [key, value] of entries) {
      const name = withoutType(key(run))
      if (isUnknown(name)) return unknown
      made.push([typeof name === 'object' && isNumber(name) ? languageNumber(name) : name, value(run)])
    }
    return mappingOf(made)
  }
}

function compileConditional(expr: Of<'conditional'>): Step {
  const condition = compileExpr(expr.condition)
  const whenTrue = compileExpr(expr.whenTrue)
  const whenFalse = compileExpr(expr.whenFalse)
  return (run) => {
    const holds = asCondition(condition(run))
    if (isUnknown(holds)) return unknown
    return holds === true ? whenTrue(run) : whenFalse(run)
  }
}

// A deciding operand wins over an unknown one, and an unknown one over a failure, in either order: the result must not
// change when the unknown becomes known.
function compileLogic(expr: Of<'and' | 'or'>): Step {
  const left = compileExpr(expr.left)
  const right = compileExpr(expr.right)
  const deciding = expr.kind === 'or'
  return (run) => {
    const first = attempt(() => left(run))
    if (first === deciding) return deciding
    const second = attempt(() => right(run))
    if (second === deciding) return deciding
    if (isUnknown(first) || isUnknown(second)) return unknown
    if (first instanceof EvaluationFailure) throw first
    if (second instanceof EvaluationFailure) throw second
    return !deciding
  }
}

function compileHas({ operand }: Of<'has'>): Step {
  if (operand.kind === 'reference' && operand.key === undefined) {
    const { reference } = operand
    return (run) => isThere(run.find(reference).value)
  }
  if (operand.kind !== 'access' || operand.depth > 0) {
    throw new TemplateError('has() takes an attribute, such as has(a.b)', operand.start)
  }
  const inner = compileExpr(operand.operand)
  const key: Step = typeof operand.index === 'string' ? () => operand.index : compileExpr(operand.index)
  return (run) => {
    const found = accessOptional(inner(run), key(run))
    return isUnknown(found) ? found : (found as { hasValue(): boolean }).hasValue()
  }
}

function isThere(given: unknown): unknown {
  const value = withoutType(given)
  return isUnknown(value) ? value : value !== undefined && value !== null
}

function compileComprehension(expr: Of<'comprehension'>): Step {
  const { macro, keySlot, itemSlot, filter, body } = expr
  const compiled = {
    macro,
    range: compileExpr(expr.range),
    ...(keySlot !== undefined && { keySlot }),
    itemSlot,
    ...(filter !== undefined && { filter: compileExpr(filter) }),
    body: compileExpr(body),
    cost: 1 + partsOf(body) + (filter === undefined ? 0 : partsOf(filter)),
  }
  return (run) => evaluateComprehension(compiled, run)
}

function compileCall({ name, namespace, isMethod, args: exprs, start }: Of<'call'>): Step {
  const of = { name, isMethod, ...(namespace !== undefined && { namespace }) }
  if (!hasFunction(of, exprs.length)) throw new TemplateError(noSuchFunction(of, exprs.length), start)
  const args = exprs.map(compileExpr)
  return (run) =>
    callFunction(
      of,
      args.map((arg) => arg(run)),
      run,
    )
}

function noSuchFunction(
  { name, namespace, isMethod }: { name: string; namespace?: string; isMethod: boolean },
  count: number,
) {
  const given = isMethod && namespace === undefined ? count - 1 : count
  const shown = namespace === undefined ? name : `${namespace}.${name}`
  return `there is no ${isMethod ? 'method' : 'function'} ${shown} that takes ${given} argument${given === 1 ? '' : 's'}`
}

/** The number of nodes of an expression, which is the cost of one evaluation of it inside a macro. */
function partsOf(expr: TemplateExpr): number {
  let count = 1
  for (const part of Object.values(expr)) count += countIn(part)
  return count
}

function countIn(part: unknown): number {
  if (Array.isArray(part)) return part.reduce<number>((sum, each) => sum + countIn(each), 0)
  return typeof part === 'object' && part !== null && 'kind' in part && 'start' in part
    ? partsOf(part as TemplateExpr)
    : 0
}
