import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import { Optional, type ParseResult } from '@marcbachmann/cel-js'
import { EvaluationFailure } from '../expression.ts'
import { evaluationFailureText } from '../failure-text.ts'
import { matchesName } from '../library/regex.ts'
import { CostExceeded } from '../meter.ts'
import { isMapping, keysOf, memberOf } from './describe.ts'
import { argumentName, templateEnvironment } from './language.ts'
import { languageNumber } from './numbers.ts'
import { bare, type Run } from './run.ts'

/** A function of the library: as `size(a)`, as a method `a.size()`, or as one of a namespace, `lists.range(a)`. */
export interface LibraryFunction {
  readonly name: string
  readonly isMethod: boolean
  readonly namespace?: string
}

/** Whether the library has the function for so many arguments, the receiver counted. */
export function hasFunction(of: LibraryFunction, argumentCount: number): boolean {
  return callOf(of, argumentCount) !== undefined
}

/** The value of a name that the language has by itself. */
export function constantOf(name: string): unknown {
  return templateEnvironment().evaluate(name) as unknown
}

/** Calls a function, or an operator given by its sign. Unknown when an argument or a part of one is unknown. */
export function callLibrary(of: LibraryFunction | string, args: readonly unknown[], run: Run): unknown {
  const call = typeof of === 'string' ? operatorCall(of) : callOf(of, args.length)
  if (call === undefined) throw new EvaluationFailure('no such overload')
  if (typeof of !== 'string') spendOnGrowth(of.name, args, run)
  const values: Record<string, unknown> = {}
  for (const [index, arg] of args.entries()) {
    const value = toLibrary(arg, run)
    if (isUnknown(value)) return unknown
    values[argumentName(index)] = value
  }
  const result = guarded(() => call(values) as unknown)
  run.spend(sizeOf(result))
  return result
}

// Each call is read and checked once, with arguments of any type.
const calls = new Map<string, ParseResult | undefined>()

function callOf({ name, isMethod, namespace }: LibraryFunction, count: number): ParseResult | undefined {
  const inside = name === 'matches' ? matchesName : name
  const names = Array.from({ length: count }, (_, index) => argumentName(index))
  const [receiver, ...others] = names
  if (namespace !== undefined) return known(`${namespace}.${inside}(${names.join(', ')})`)
  return known(isMethod ? `${receiver}.${inside}(${others.join(', ')})` : `${inside}(${names.join(', ')})`)
}

function operatorCall(operator: string): ParseResult | undefined {
  return known(`${argumentName(0)} ${operator} ${argumentName(1)}`)
}

function known(text: string): ParseResult | undefined {
  if (!calls.has(text)) {
    // Names of functions that are not there come from users, and must not pile up.
    if (calls.size >= 1000) calls.clear()
    calls.set(text, checked(text))
  }
  return calls.get(text)
}

function checked(text: string): ParseResult | undefined {
  try {
    const parsed = templateEnvironment().parse(text)
    return parsed.check().valid ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Computes; what the library fails with becomes our failure, except what must not be forgiven. */
function guarded<T>(compute: () => T): T {
  try {
    return compute()
  } catch (error) {
    if (error instanceof CostExceeded || error instanceof RangeError) throw error
    throw new EvaluationFailure(evaluationFailureText(error))
  }
}

// Going through the argument costs its size, so that lists in lists which share their parts can't explode here.
function toLibrary(given: unknown, run: Run): unknown {
  const value = bare(given)
  if (typeof value === 'string') run.spend(1 + value.length * 0.1)
  if (typeof value !== 'object' || value === null || isUnknown(value)) return value
  run.spend(1)
  if (value instanceof Decimal) return languageNumber(value)
  if (Array.isArray(value)) return listToLibrary(value, run)
  if (value instanceof Optional) return value.hasValue() ? wrapped(toLibrary(value.value(), run)) : value
  if (!isMapping(value)) return value
  const map = new Map<unknown, unknown>()
  for (const key of keysOf(value)) {
    const member = toLibrary(memberOf(value, key), run)
    if (isUnknown(member)) return unknown
    map.set(key, member)
  }
  return map
}

function listToLibrary(list: readonly unknown[], run: Run): unknown {
  const items: unknown[] = []
  for (const item of list) {
    const converted = toLibrary(item, run)
    if (isUnknown(converted)) return unknown
    items.push(converted)
  }
  return items
}

function wrapped(value: unknown): unknown {
  return isUnknown(value) ? unknown : Optional.of(value)
}

// What these make can be far larger than what they are given.
function spendOnGrowth(name: string, args: readonly unknown[], run: Run): void {
  const [text, first, second] = args.map(bare)
  if (name === 'replace' && typeof text === 'string' && typeof first === 'string' && typeof second === 'string') {
    const times = first === '' ? text.length + 1 : text.split(first).length - 1
    run.spend(times * second.length * 0.1)
  }
  if (name === 'join' && Array.isArray(text) && typeof first === 'string') run.spend(text.length * first.length * 0.1)
  if (name === 'range' && typeof text === 'bigint') run.spend(Number(text))
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 0.1
  if (Array.isArray(value)) return value.length
  return value instanceof Map ? value.size : 1
}
