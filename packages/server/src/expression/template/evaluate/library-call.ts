import { Decimal, isUnknown, unknown } from '@hykube/tfplugin/value'
import type { Overload } from '../../cel/check/functions.ts'
import { callOverload } from '../../cel/evaluate/dispatch.ts'
import { Optional } from '../../cel/evaluate/values.ts'
import { templateFunctions } from '../../kubernetes-functions.ts'
import { mostSearchSteps, regexpOf } from '../../library/regex.ts'
import { isMapping, keysOf, memberOf } from './describe.ts'
import { languageNumber } from './numbers.ts'
import { type Run, withoutType } from './run.ts'

/** A CEL function: global `size(a)`, a method `a.size()`, or in a namespace `lists.range(a)`. */
export interface LibraryFunction {
  readonly name: string
  readonly isMethod: boolean
  readonly namespace?: string
}

/** Returns whether CEL has the function with this number of arguments, including the receiver. */
export function hasFunction(of: LibraryFunction, argumentCount: number): boolean {
  return overloadsFor(of, argumentCount).length > 0
}

/** The overloads of a function with this number of arguments, including the receiver. */
export function overloadsFor(
  { name, isMethod, namespace }: LibraryFunction,
  argumentCount: number,
): readonly Overload[] {
  const overloads = templateFunctions().get(namespace === undefined ? name : `${namespace}.${name}`) ?? []
  const asMethod = isMethod && namespace === undefined
  return overloads.filter((each) => each.isMethod === asMethod && each.parameters.length === argumentCount)
}

/** Calls a CEL function, or an operator given by its sign. The result is unknown if an argument contains an unknown. */
export function callLibrary(of: LibraryFunction | string, args: readonly unknown[], run: Run): unknown {
  const overloads = typeof of === 'string' ? (templateFunctions().get(`_${of}_`) ?? []) : overloadsFor(of, args.length)
  if (typeof of !== 'string') spendOnGrowth(of.name, args, run)
  const values: unknown[] = []
  for (const arg of args) {
    const value = toLibrary(arg, run)
    if (isUnknown(value)) return unknown
    values.push(value)
  }
  const result = callOverload(overloads, values)
  run.spend(sizeOf(result))
  return result
}

// Charges for every element of an argument: lists that share elements may be exponentially larger than their memory.
function toLibrary(given: unknown, run: Run): unknown {
  const value = withoutType(given)
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

// The work or the results of these functions can be much larger than their arguments, so the cost is charged before the call.
function spendOnGrowth(name: string, args: readonly unknown[], run: Run): void {
  const [text, first, second] = args.map(withoutType)
  if (name === 'replace' && typeof text === 'string' && typeof first === 'string' && typeof second === 'string') {
    const times = first === '' ? text.length + 1 : text.split(first).length - 1
    run.spend(times * second.length * 0.1)
  }
  if (name === 'join' && Array.isArray(text) && typeof first === 'string') run.spend(text.length * first.length * 0.1)
  if (searches.has(name) && typeof text === 'string' && typeof first === 'string') spendOnSearch(name, text, first, run)
  if (name === 'range' && typeof text === 'bigint') run.spend(Number(text))
}

const searches = new Set(['matches', 'find', 'findAll'])

// A search takes each instruction of the expression once for each character; findAll may search to the end for each match.
function spendOnSearch(name: string, text: string, pattern: string, run: Run): void {
  const once = text.length * regexpOf(pattern).size * 0.05
  run.spend(name === 'findAll' ? Math.min(once * text.length, mostSearchSteps * 0.1) : once)
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 0.1
  if (Array.isArray(value)) return value.length
  return value instanceof Map ? value.size : 1
}
