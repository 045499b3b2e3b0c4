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
import { type Reference, referenceToText } from '../syntax/reference.ts'
import type { TemplateExpr } from '../syntax/template-expr.ts'
import { functionType } from './function-type.ts'
import { type PartType, projectedType, typeAtPath, typeAtStep } from './path-type.ts'
import { commonType, elementTypeOf, memberTypeOf } from './type-relations.ts'
import type { TypeScope } from './type-scope.ts'

/** An error at a position of a template. */
export interface TemplateProblem {
  readonly message: string
  readonly position: number
}

/** Infers the static type of an expression and reports certain errors. Unknown types are dynamic and never an error. */
export function exprType(expr: TemplateExpr, scope: TypeScope, report: (problem: TemplateProblem) => void): Type {
  return new Checker(scope, report).typeOf(expr)
}

type Of<Kind extends TemplateExpr['kind']> = Extract<TemplateExpr, { kind: Kind }>

class Checker {
  readonly #scope: TypeScope
  readonly #report: (problem: TemplateProblem) => void
  readonly #locals: Type[] = []

  constructor(scope: TypeScope, report: (problem: TemplateProblem) => void) {
    this.#scope = scope
    this.#report = report
  }

  typeOf(expr: TemplateExpr): Type {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value)
      case 'constant':
        return dynamicType
      case 'local':
        return this.#locals[expr.slot] ?? dynamicType
      case 'reference':
        return this.#reference(expr)
      case 'access':
        return this.#access(expr)
      case 'splat':
        return this.#splat(expr)
      case 'list':
        return tupleType(expr.elements.map((element) => this.typeOf(element)))
      case 'map':
        return this.#map(expr)
      case 'conditional':
        this.#condition(expr.condition)
        return commonType(this.typeOf(expr.whenTrue), this.typeOf(expr.whenFalse))
      case 'and':
      case 'or':
        this.#condition(expr.left)
        return this.#condition(expr.right)
      case 'not':
        return this.#condition(expr.operand)
      case 'negate':
        return this.#negate(expr.operand)
      case 'binary':
        return this.#binary(expr)
      case 'has':
        this.typeOf(expr.operand)
        return boolType
      case 'bind':
        this.#locals[expr.slot] = this.typeOf(expr.value)
        return this.typeOf(expr.body)
      case 'comprehension':
        return this.#comprehension(expr)
      case 'call':
        return this.#call(expr)
    }
  }

  #problem(expr: TemplateExpr, message: string): Type {
    this.#report({ message, position: expr.start })
    return dynamicType
  }

  #part(expr: TemplateExpr, part: PartType, what?: string): Type {
    if (!('problem' in part)) return part
    return this.#problem(expr, what === undefined ? part.problem : `${what}: ${part.problem}`)
  }

  #reference(expr: Of<'reference'>): Type {
    if (expr.key !== undefined) this.typeOf(expr.key)
    const { reference } = expr
    const whole = this.#targetType(reference)
    const path = reference.kind === 'resource' || reference.kind === 'each' ? reference.path : []
    const part = typeAtPath(whole, path)
    const isAll = reference.kind === 'resource' && reference.instance.kind === 'all'
    return this.#part(expr, projectedType(part, isAll ? 1 : 0), referenceToText(reference))
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

  #access(expr: Of<'access'>): Type {
    const { operand, index, depth } = expr
    const indexType = typeof index === 'string' ? stringType : this.typeOf(index)
    let type = this.typeOf(operand)
    for (let i = 0; i < depth; i++) type = elementTypeOf(type) ?? type
    const part = partType(type, index, indexType)
    if (expr.optional) return dynamicType
    return this.#part(expr, projectedType(part, depth))
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

  #condition(expr: TemplateExpr): Type {
    const type = this.typeOf(expr)
    if (type.kind !== 'bool' && type.kind !== 'dynamic')
      this.#problem(expr, `a condition must be a bool, not ${typeToText(type)}`)
    return boolType
  }

  #negate(operand: TemplateExpr): Type {
    const type = this.typeOf(operand)
    if (type.kind === 'number' || type.kind === 'dynamic') return type
    return this.#problem(operand, `- can't be applied to ${typeToText(type)}`)
  }

  #binary(expr: Of<'binary'>): Type {
    const { operator } = expr
    const left = this.typeOf(expr.left)
    const right = this.typeOf(expr.right)
    const type = binaryType(operator, left, right)
    if (type !== undefined) return type
    const hint =
      operator === '+' && (left.kind === 'string' || right.kind === 'string') ? '; convert with string()' : ''
    return this.#problem(expr, `${operator} can't be used between ${typeToText(left)} and ${typeToText(right)}${hint}`)
  }

  #comprehension(expr: Of<'comprehension'>): Type {
    const { macro, range: rangeExpr, keySlot, itemSlot, filter, body } = expr
    const range = this.typeOf(rangeExpr)
    const element = elementTypeOf(range)
    const member = memberTypeOf(range)
    if (element === undefined && member === undefined && range.kind !== 'dynamic')
      this.#problem(rangeExpr, `a macro iterates over a list or a map, not over ${typeToText(range)}`)
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

  #call(expr: Of<'call'>): Type {
    const { name, namespace, isMethod } = expr
    const args = expr.args.map((arg) => this.typeOf(arg))
    const type = functionType({ name, isMethod, ...(namespace !== undefined && { namespace }) }, args)
    if (type !== undefined) return type
    const given = args.map(typeToText)
    const applied = isMethod && namespace === undefined ? `${given[0]}.${name}(${given.slice(1)})` : `${name}(${given})`
    return this.#problem(expr, `there is no function ${applied}`)
  }
}

function literalType(value: unknown): Type {
  if (typeof value === 'string') return stringType
  if (typeof value === 'boolean') return boolType
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Decimal ? numberType : dynamicType
}

function partType(type: Type, index: string | TemplateExpr, indexType: Type): PartType {
  if (typeof index === 'string') return typeAtStep(type, attributeStep(index))
  if (index.kind === 'literal' && typeof index.value === 'string') return typeAtStep(type, keyStep(index.value))
  if (index.kind === 'literal' && typeof index.value === 'bigint' && index.value >= 0n)
    return typeAtStep(type, indexStep(Number(index.value)))
  if (type.kind === 'dynamic') return type
  const element = elementTypeOf(type)
  if (element !== undefined && (indexType.kind === 'number' || indexType.kind === 'dynamic')) return element
  const member = memberTypeOf(type)
  if (member !== undefined && (indexType.kind === 'string' || indexType.kind === 'dynamic')) return member
  return { problem: `${typeToText(type)} can't be indexed by ${typeToText(indexType)}` }
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
