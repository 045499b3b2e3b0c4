import {
  attributeStep,
  boolType,
  Decimal,
  dynamicType,
  indexStep,
  keyStep,
  listType,
  mapType,
  numberType,
  objectType,
  stringType,
  type Type,
  tupleType,
  typeToText,
} from '@hykube/tfplugin/value'
import type { Formula } from './formula.ts'
import { functionType } from './function-type.ts'
import { type PartType, projectedType, typeAtPath, typeAtStep } from './path-type.ts'
import { type Reference, referenceToText } from './reference.ts'
import { commonType, elementTypeOf, memberTypeOf } from './type-relations.ts'
import type { TypeScope } from './type-scope.ts'

/** What is wrong with a part of a template, and where it stands. */
export interface TemplateProblem {
  readonly message: string
  readonly position: number
}

/** The type of what an expression gives, as far as it is known before it is evaluated. What can't be right is reported. */
export function formulaType(formula: Formula, scope: TypeScope, report: (problem: TemplateProblem) => void): Type {
  return new Checker(scope, report).typeOf(formula)
}

type Of<Kind extends Formula['kind']> = Extract<Formula, { kind: Kind }>

class Checker {
  readonly #scope: TypeScope
  readonly #report: (problem: TemplateProblem) => void
  readonly #locals: Type[] = []

  constructor(scope: TypeScope, report: (problem: TemplateProblem) => void) {
    this.#scope = scope
    this.#report = report
  }

  typeOf(formula: Formula): Type {
    switch (formula.kind) {
      case 'literal':
        return literalType(formula.value)
      case 'constant':
        return dynamicType
      case 'local':
        return this.#locals[formula.slot] ?? dynamicType
      case 'reference':
        return this.#reference(formula)
      case 'access':
        return this.#access(formula)
      case 'splat':
        return this.#splat(formula)
      case 'list':
        return tupleType(formula.elements.map((element) => this.typeOf(element)))
      case 'map':
        return this.#map(formula)
      case 'conditional':
        this.#condition(formula.condition)
        return commonType(this.typeOf(formula.whenTrue), this.typeOf(formula.whenFalse))
      case 'and':
      case 'or':
        this.#condition(formula.left)
        return this.#condition(formula.right)
      case 'not':
        return this.#condition(formula.operand)
      case 'negate':
        return this.#negate(formula.operand)
      case 'binary':
        return this.#binary(formula)
      case 'has':
        this.typeOf(formula.operand)
        return boolType
      case 'bind':
        this.#locals[formula.slot] = this.typeOf(formula.value)
        return this.typeOf(formula.body)
      case 'comprehension':
        return this.#comprehension(formula)
      case 'call':
        return this.#call(formula)
    }
  }

  #problem(formula: Formula, message: string): Type {
    this.#report({ message, position: formula.start })
    return dynamicType
  }

  #part(formula: Formula, part: PartType, what?: string): Type {
    if (!('problem' in part)) return part
    return this.#problem(formula, what === undefined ? part.problem : `${what}: ${part.problem}`)
  }

  #reference(formula: Of<'reference'>): Type {
    if (formula.key !== undefined) this.typeOf(formula.key)
    const { reference } = formula
    const whole = this.#targetType(reference)
    const path = reference.kind === 'resource' || reference.kind === 'each' ? reference.path : []
    const part = typeAtPath(whole, path)
    const isAll = reference.kind === 'resource' && reference.instance.kind === 'all'
    return this.#part(formula, projectedType(part, isAll ? 1 : 0), referenceToText(reference))
  }

  #targetType(reference: Reference): Type {
    switch (reference.kind) {
      case 'secret':
      case 'configmap':
        return stringType
      case 'count':
        return numberType
      case 'each':
        return reference.part === 'key' ? stringType : (this.#scope.typeOf(reference) ?? dynamicType)
      case 'resource':
        return this.#scope.typeOf(reference) ?? dynamicType
    }
  }

  #access(formula: Of<'access'>): Type {
    const { operand, index, depth } = formula
    const indexType = typeof index === 'string' ? stringType : this.typeOf(index)
    let type = this.typeOf(operand)
    for (let i = 0; i < depth; i++) type = elementTypeOf(type) ?? type
    const part = partType(type, index, indexType)
    if (formula.optional) return dynamicType
    return this.#part(formula, projectedType(part, depth))
  }

  #splat({ operand, depth }: Of<'splat'>): Type {
    let type = this.typeOf(operand)
    for (let i = 0; i < depth; i++) type = elementTypeOf(type) ?? type
    const element = type.kind === 'dynamic' ? dynamicType : (elementTypeOf(type) ?? type)
    const projected = projectedType(listType(element), depth)
    return 'problem' in projected ? dynamicType : projected
  }

  #map({ entries }: Of<'map'>): Type {
    const types = entries.map(([key, value]) => [key, this.typeOf(value)] as const)
    const names = types.map(([key]) =>
      key.kind === 'literal' && typeof key.value === 'string' ? key.value : undefined,
    )
    if (names.includes(undefined)) return mapType(types.map(([, type]) => type).reduce(commonType))
    return objectType(new Map(types.map(([, type], index) => [names[index]!, type])))
  }

  #condition(formula: Formula): Type {
    const type = this.typeOf(formula)
    if (type.kind !== 'bool' && type.kind !== 'dynamic')
      this.#problem(formula, `a condition must be a bool, and this is ${typeToText(type)}`)
    return boolType
  }

  #negate(operand: Formula): Type {
    const type = this.typeOf(operand)
    if (type.kind === 'number' || type.kind === 'dynamic') return type
    return this.#problem(operand, `there is no negative of ${typeToText(type)}`)
  }

  #binary(formula: Of<'binary'>): Type {
    const { operator } = formula
    const left = this.typeOf(formula.left)
    const right = this.typeOf(formula.right)
    const type = binaryType(operator, left, right)
    if (type !== undefined) return type
    const hint =
      operator === '+' && (left.kind === 'string' || right.kind === 'string') ? '; string() makes a text' : ''
    return this.#problem(
      formula,
      `${operator} can't be used between ${typeToText(left)} and ${typeToText(right)}${hint}`,
    )
  }

  #comprehension(formula: Of<'comprehension'>): Type {
    const { macro, range: rangeFormula, keySlot, itemSlot, filter, body } = formula
    const range = this.typeOf(rangeFormula)
    const element = elementTypeOf(range)
    const member = memberTypeOf(range)
    if (element === undefined && member === undefined && range.kind !== 'dynamic')
      this.#problem(rangeFormula, `a macro goes over a list or a map, and this is ${typeToText(range)}`)
    if (keySlot !== undefined) this.#locals[keySlot] = element !== undefined ? numberType : stringType
    const item = element ?? (member === undefined ? dynamicType : keySlot === undefined ? stringType : member)
    this.#locals[itemSlot] = item
    if (filter !== undefined) this.#condition(filter)
    switch (macro) {
      case 'map':
        return listType(this.typeOf(body))
      case 'transformMap':
        return mapType(this.typeOf(body))
      default:
        this.#condition(body)
        return macro === 'filter' ? listType(item) : boolType
    }
  }

  #call(formula: Of<'call'>): Type {
    const { name, namespace, isMethod } = formula
    const args = formula.args.map((arg) => this.typeOf(arg))
    const type = functionType({ name, isMethod, ...(namespace !== undefined && { namespace }) }, args)
    if (type !== undefined) return type
    const given = args.map(typeToText)
    const applied = isMethod && namespace === undefined ? `${given[0]}.${name}(${given.slice(1)})` : `${name}(${given})`
    return this.#problem(formula, `there is no ${applied}`)
  }
}

function literalType(value: unknown): Type {
  if (typeof value === 'string') return stringType
  if (typeof value === 'boolean') return boolType
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Decimal ? numberType : dynamicType
}

function partType(type: Type, index: string | Formula, indexType: Type): PartType {
  if (typeof index === 'string') return typeAtStep(type, attributeStep(index))
  if (index.kind === 'literal' && typeof index.value === 'string') return typeAtStep(type, keyStep(index.value))
  if (index.kind === 'literal' && typeof index.value === 'bigint' && index.value >= 0n)
    return typeAtStep(type, indexStep(Number(index.value)))
  if (type.kind === 'dynamic') return type
  const element = elementTypeOf(type)
  if (element !== undefined && (indexType.kind === 'number' || indexType.kind === 'dynamic')) return element
  const member = memberTypeOf(type)
  if (member !== undefined && (indexType.kind === 'string' || indexType.kind === 'dynamic')) return member
  return { problem: `${typeToText(type)} has no part that is found by ${typeToText(indexType)}` }
}

function binaryType(operator: Of<'binary'>['operator'], left: Type, right: Type): Type | undefined {
  const both = commonType(left, right)
  const isOpen = left.kind === 'dynamic' || right.kind === 'dynamic'
  switch (operator) {
    case '==':
    case '!=':
      return boolType
    case 'in':
      return right.kind === 'dynamic' || (elementTypeOf(right) ?? memberTypeOf(right)) !== undefined
        ? boolType
        : undefined
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOpen || ordered.has(both.kind) ? boolType : undefined
    case '+':
      return sumType(left, right)
    default:
      if (isOpen) return left.kind === 'number' || right.kind === 'number' ? numberType : openArithmetic(left, right)
      return both.kind === 'number' ? numberType : undefined
  }
}

const ordered = new Set<Type['kind']>(['string', 'number', 'bool'])

function openArithmetic(left: Type, right: Type): Type | undefined {
  return left.kind === 'dynamic' && right.kind === 'dynamic' ? dynamicType : undefined
}

function sumType(left: Type, right: Type): Type | undefined {
  for (const [known, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (known.kind === 'dynamic') continue
    const element = elementTypeOf(known)
    const others = elementTypeOf(other)
    if (element !== undefined && others !== undefined) return listType(commonType(element, others))
    if (element !== undefined) return other.kind === 'dynamic' ? listType(dynamicType) : undefined
    if (known.kind !== 'string' && known.kind !== 'number') return undefined
    return other.kind === known.kind || other.kind === 'dynamic' ? known : undefined
  }
  return dynamicType
}
