import type { CheckedExpression } from '../check/check.ts'
import type { Overload } from '../check/functions.ts'
import { callCost, listCost, mapCost, messageCost } from '../cost/call-cost.ts'
import type { Call, Expr } from '../syntax/syntax.ts'
import { access, accessOptional, hasField } from './access.ts'
import { callOverload } from './dispatch.ts'
import { valueOfKey } from './equality.ts'
import { foldStep } from './fold.ts'
import { isIn } from './standard.ts'
import { attempt, condition, type PartCompiler, type Slots, type Step } from './step.ts'
import { EvaluationFailure, noSuchOverload, Optional, TypeValue, typeOf } from './values.ts'

/** Compiles a checked expression to closures. They are faster than interpreting the syntax tree for every object. */
export class StepCompiler implements PartCompiler {
  readonly #checked: CheckedExpression
  #slots = 0

  constructor(checked: CheckedExpression) {
    this.#checked = checked
  }

  compile(expr: Expr, slots: Slots): Step {
    switch (expr.kind) {
      case 'literal': {
        const { value } = expr
        return () => value
      }
      case 'ident':
        return this.#named(expr, expr.name, slots)
      case 'select':
        return this.#select(expr, slots)
      case 'list':
        return this.#list(expr, slots)
      case 'map':
        return this.#map(expr, slots)
      case 'message':
        return ({ meter }) => {
          meter.spend(messageCost)
          throw noSuchOverload()
        }
      case 'comprehension':
        return foldStep(this, expr, slots)
      case 'call':
        return this.#call(expr, slots)
    }
  }

  /** Allocates a slot for a variable of a macro. */
  newSlot(): number {
    return this.#slots++
  }

  #named(expr: Expr, name: string, slots: Slots): Step {
    const slot = slots.get(name)
    if (slot !== undefined) {
      return ({ locals, meter }) => {
        meter.spend(1)
        const value = locals[slot]
        if (value instanceof EvaluationFailure) throw value
        return value
      }
    }
    const variable = this.#checked.nameOf(expr) ?? name
    const type = this.#checked.typeOf(expr)
    return ({ values, meter }) => {
      meter.spend(1)
      const value = Object.hasOwn(values, variable) ? values[variable] : undefined
      if (value !== undefined) return value
      if (type.kind === 'type') return new TypeValue(type.parameters[0] ?? type)
      throw new EvaluationFailure(`no such attribute(s): ${variable}`)
    }
  }

  #select(expr: Expr & { kind: 'select' }, slots: Slots): Step {
    const variable = this.#checked.nameOf(expr)
    if (variable !== undefined) return this.#named(expr, variable, noSlots)
    const operand = this.compile(expr.operand, slots)
    const { field, mode } = expr
    if (mode === 'test') return (frame) => hasField(operand(frame), field)
    const read = mode === 'optional' ? accessOptional : access
    return (frame) => {
      const value = operand(frame)
      frame.meter.spend(1)
      return read(value, field)
    }
  }

  #list({ elements, optional }: Expr & { kind: 'list' }, slots: Slots): Step {
    // A list of constants is created once; cel-go's optimizer does the same and charges nothing for it.
    if (elements.every(isConstant)) {
      const value = elements.map((element) => (element as { value: unknown }).value)
      return () => value
    }
    const steps = elements.map((element) => this.compile(element, slots))
    return (frame) => {
      const values: unknown[] = []
      for (const [at, step] of steps.entries()) {
        const value = step(frame)
        if (!optional.has(at)) values.push(value)
        else if (!(value instanceof Optional)) throw noSuchOverload()
        else if (value.hasValue()) values.push(value.value())
      }
      frame.meter.spend(listCost)
      return values
    }
  }

  #map({ entries }: Expr & { kind: 'map' }, slots: Slots): Step {
    const steps = entries.map(({ key, value, optional }) => ({
      key: this.compile(key, slots),
      value: this.compile(value, slots),
      optional,
    }))
    const cost = entries.every(({ key, value }) => isConstant(key) && isConstant(value)) ? 0 : mapCost
    return (frame) => {
      const map = new Map<unknown, unknown>()
      for (const { key, value, optional } of steps) {
        const at = key(frame)
        const given = value(frame)
        if (optional && !(given instanceof Optional)) throw noSuchOverload()
        const held = optional ? (given as Optional) : Optional.of(given)
        if (!isKey(at)) throw new EvaluationFailure(`unsupported key type: ${typeOf(at).name}`)
        if (!held.hasValue()) continue
        if (valueOfKey(map, at) !== undefined) throw new EvaluationFailure(`Failed with repeated key: ${String(at)}`)
        map.set(at, held.value())
      }
      frame.meter.spend(cost)
      return map
    }
  }

  #call(expr: Call, slots: Slots): Step {
    const { name, target, args } = expr
    const overloads = this.#checked.overloadsOf(expr)
    const isMethod = overloads[0]?.isMethod === true
    const parts = isMethod && target !== undefined ? [target, ...args] : args
    const steps = parts.map((part) => this.compile(part, slots))
    const [first, second, third] = steps as [Step, Step, Step]
    switch (name) {
      case '_&&_':
        return logical(first, second, false)
      case '_||_':
        return logical(first, second, true)
      case '_?_:_':
        return (frame) => (condition(first(frame)) ? second(frame) : third(frame))
      case '@not_strictly_false':
        return (frame) => {
          const value = attempt(first, frame)
          frame.meter.spend(1)
          return value !== false
        }
      case '_[_]':
        return indexing(first, second, access)
      case '_[?_]':
        return indexing(first, second, accessOptional)
      case 'or':
      case 'orValue':
        return isMethod ? alternative(name, first, second) : this.#function(expr, overloads, steps)
      case '@in':
        return parts[1]!.kind === 'list' && parts[1]!.elements.every(isConstant)
          ? (frame) => isIn(first(frame), second(frame))
          : this.#function(expr, overloads, steps)
      default:
        return this.#function(expr, overloads, steps)
    }
  }

  #function(expr: Call, overloads: readonly Overload[], steps: readonly Step[]): Step {
    const [overload] = overloads
    const only = overloads.length === 1 ? overload : undefined
    const name = overload?.name ?? expr.name
    const folded = conversions.has(name) && expr.args.length === 1 && isConstant(expr.args[0]!)
    return (frame) => {
      const values = steps.map((step) => step(frame))
      const result = callOverload(overloads, values)
      if (!folded) frame.meter.spend(callCost(name, only, values, result))
      return result
    }
  }
}

const noSlots: Slots = new Map()

// cel-go's optimizer folds conversions of constants at compile time, so they cost nothing.
const conversions = new Set(['bool', 'bytes', 'double', 'duration', 'int', 'string', 'timestamp', 'uint'])

function isConstant(expr: Expr): boolean {
  return expr.kind === 'literal'
}

function isKey(value: unknown): boolean {
  const { kind } = typeOf(value)
  return kind === 'string' || kind === 'int' || kind === 'uint' || kind === 'bool'
}

// `true || error` is true and `false && error` is false, in either order: a deciding operand absorbs the other's error.
function logical(left: Step, right: Step, deciding: boolean): Step {
  return (frame) => {
    const first = attempt(left, frame)
    if (first === deciding) return deciding
    const second = attempt(right, frame)
    if (second === deciding) return deciding
    if (first instanceof EvaluationFailure) throw first
    if (second instanceof EvaluationFailure) throw second
    if (typeof first !== 'boolean' || typeof second !== 'boolean') throw noSuchOverload()
    return !deciding
  }
}

function indexing(operand: Step, index: Step, read: (value: unknown, key: unknown) => unknown): Step {
  return (frame) => {
    const value = operand(frame)
    const key = index(frame)
    frame.meter.spend(1)
    return read(value, key)
  }
}

function alternative(name: 'or' | 'orValue', left: Step, right: Step): Step {
  return (frame) => {
    const value = left(frame)
    if (!(value instanceof Optional)) throw noSuchOverload()
    if (!value.hasValue()) return right(frame)
    return name === 'or' ? value : value.value()
  }
}
