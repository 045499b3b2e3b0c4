import { isUnknown, unknown } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../cel/values.ts'
import { access, accessOptional, project, splatted } from './access.ts'
import { asCondition, attempt, evaluateComprehension, mappingOf } from './comprehension.ts'
import { describe } from './describe.ts'
import type { Formula } from './formula.ts'
import { callFunction } from './functions.ts'
import { constantOf } from './language.ts'
import { hasFunction } from './library-call.ts'
import { isNumber, languageNumber } from './numbers.ts'
import { negate, operate } from './operators.ts'
import type { Reference, ResourceReference } from './reference.ts'
import { bare, type Step } from './run.ts'
import { TemplateError } from './template.ts'

/** Makes an expression ready to be evaluated. Throws TemplateError when it calls what is not there. */
export function compileFormula(formula: Formula): Step {
  switch (formula.kind) {
    case 'literal': {
      const { value } = formula
      return () => value
    }
    case 'constant': {
      const value = constantOf(formula.name)
      return () => value
    }
    case 'local': {
      const { slot } = formula
      return (run) => run.locals[slot]
    }
    case 'reference':
      return compileReference(formula)
    case 'access':
      return compileAccess(formula)
    case 'splat': {
      const operand = compileFormula(formula.operand)
      const { depth } = formula
      return (run) => project(operand(run), depth, (value) => (isUnknown(bare(value)) ? unknown : splatted(value)))
    }
    case 'list': {
      const elements = formula.elements.map(compileFormula)
      return (run) => elements.map((element) => element(run))
    }
    case 'map':
      return compileMap(formula)
    case 'conditional':
      return compileConditional(formula)
    case 'and':
    case 'or':
      return compileLogic(formula)
    case 'not': {
      const operand = compileFormula(formula.operand)
      return (run) => {
        const value = asCondition(operand(run))
        return isUnknown(value) ? value : !value
      }
    }
    case 'negate': {
      const operand = compileFormula(formula.operand)
      return (run) => negate(operand(run))
    }
    case 'binary': {
      const { operator } = formula
      const left = compileFormula(formula.left)
      const right = compileFormula(formula.right)
      return (run) => operate(operator, left(run), right(run), run)
    }
    case 'has':
      return compileHas(formula)
    case 'bind': {
      const { slot } = formula
      const value = compileFormula(formula.value)
      const body = compileFormula(formula.body)
      return (run) => {
        run.locals[slot] = value(run)
        return body(run)
      }
    }
    case 'comprehension':
      return compileComprehension(formula)
    case 'call':
      return compileCall(formula)
  }
}

type Of<Kind extends Formula['kind']> = Extract<Formula, { kind: Kind }>

function compileReference({ reference, key: keyFormula }: Of<'reference'>): Step {
  if (keyFormula === undefined) return (run) => run.lookup(reference)
  const key = compileFormula(keyFormula)
  return (run) => {
    const instance = withKey(reference as ResourceReference, key(run))
    return instance === undefined ? unknown : run.lookup(instance)
  }
}

/** The reference to the instance with a key; undefined when the key is not known. */
function withKey(reference: ResourceReference, given: unknown): Reference | undefined {
  const key = bare(given)
  if (isUnknown(key)) return undefined
  if (typeof key === 'string') return { ...reference, instance: { kind: 'key', key } }
  const number = isNumber(key) ? Number(typeof key === 'object' ? languageNumber(key) : key) : Number.NaN
  if (Number.isSafeInteger(number) && number >= 0) return { ...reference, instance: { kind: 'key', key: number } }
  throw new EvaluationFailure(`an instance is chosen by a whole number or a string, not by ${describe(key)}`)
}

function compileAccess({ operand: operandFormula, index, optional, depth }: Of<'access'>): Step {
  const operand = compileFormula(operandFormula)
  const key: Step = typeof index === 'string' ? () => index : compileFormula(index)
  const take = optional ? accessOptional : access
  if (depth === 0) return (run) => take(operand(run), key(run))
  return (run) => {
    const at = key(run)
    return project(operand(run), depth, (value) => take(value, at))
  }
}

function compileMap({ entries: formulas }: Of<'map'>): Step {
  const entries = formulas.map(([key, value]) => [compileFormula(key), compileFormula(value)] as const)
  return (run) => {
    const made: (readonly [unknown, unknown])[] = []
    for (const [key, value] of entries) {
      const name = bare(key(run))
      if (isUnknown(name)) return unknown
      made.push([typeof name === 'object' && isNumber(name) ? languageNumber(name) : name, value(run)])
    }
    return mappingOf(made)
  }
}

function compileConditional(formula: Of<'conditional'>): Step {
  const condition = compileFormula(formula.condition)
  const whenTrue = compileFormula(formula.whenTrue)
  const whenFalse = compileFormula(formula.whenFalse)
  return (run) => {
    const holds = asCondition(condition(run))
    if (isUnknown(holds)) return unknown
    return holds === true ? whenTrue(run) : whenFalse(run)
  }
}

// Each side may decide alone, whichever comes first; then what is not known, then what failed.
function compileLogic(formula: Of<'and' | 'or'>): Step {
  const left = compileFormula(formula.left)
  const right = compileFormula(formula.right)
  const deciding = formula.kind === 'or'
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
    throw new TemplateError('has() takes an attribute, as has(a.b)', operand.start)
  }
  const inner = compileFormula(operand.operand)
  const key: Step = typeof operand.index === 'string' ? () => operand.index : compileFormula(operand.index)
  return (run) => {
    const found = accessOptional(inner(run), key(run))
    return isUnknown(found) ? found : (found as { hasValue(): boolean }).hasValue()
  }
}

function isThere(given: unknown): unknown {
  const value = bare(given)
  return isUnknown(value) ? value : value !== undefined && value !== null
}

function compileComprehension(formula: Of<'comprehension'>): Step {
  const { macro, keySlot, itemSlot, filter, body } = formula
  const compiled = {
    macro,
    range: compileFormula(formula.range),
    ...(keySlot !== undefined && { keySlot }),
    itemSlot,
    ...(filter !== undefined && { filter: compileFormula(filter) }),
    body: compileFormula(body),
    cost: 1 + partsOf(body) + (filter === undefined ? 0 : partsOf(filter)),
  }
  return (run) => evaluateComprehension(compiled, run)
}

function compileCall({ name, namespace, isMethod, args: formulas, start }: Of<'call'>): Step {
  const of = { name, isMethod, ...(namespace !== undefined && { namespace }) }
  if (!hasFunction(of, formulas.length)) throw new TemplateError(noSuchFunction(of, formulas.length), start)
  const args = formulas.map(compileFormula)
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

/** How many parts an expression has. */
function partsOf(formula: Formula): number {
  let count = 1
  for (const part of Object.values(formula)) count += countIn(part)
  return count
}

function countIn(part: unknown): number {
  if (Array.isArray(part)) return part.reduce<number>((sum, each) => sum + countIn(each), 0)
  return typeof part === 'object' && part !== null && 'kind' in part && 'start' in part ? partsOf(part as Formula) : 0
}
