import { emptyObject, isUnknown, unknown, type Value } from '@hykube/tfplugin/value'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import type { Macro } from '../syntax/template-expr.ts'
import { describe, isMapping, keysOf, memberOf } from './describe.ts'
import { type Run, type Step, withoutType } from './run.ts'

/** A compiled macro over the elements of a list or map. */
export interface Comprehension {
  readonly macro: Macro
  readonly range: Step
  readonly keySlot?: number
  readonly itemSlot: number
  readonly filter?: Step
  readonly body: Step
  /** The cost of one iteration. */
  readonly cost: number
}

/** Evaluates a macro. Unknown items stay unknown in the result; an unknown condition makes the whole result unknown. */
export function evaluateComprehension(comprehension: Comprehension, run: Run): unknown {
  const range = withoutType(comprehension.range(run))
  if (isUnknown(range)) return unknown
  const rounds = roundsOf(range, comprehension, run)
  switch (comprehension.macro) {
    case 'all':
      return quantify(rounds, false)
    case 'exists':
      return quantify(rounds, true)
    case 'exists_one':
      return existsOne(rounds)
    case 'filter':
      return filter(rounds)
    case 'map':
      return collect(rounds, (round) => round.body())
    case 'transformMap':
      return transformMap(rounds)
  }
}

/** One iteration. Filter and body are evaluated on demand. */
interface Round {
  readonly key: unknown
  readonly item: unknown
  readonly filter: (() => unknown) | undefined
  readonly body: () => unknown
}

type Rounds = Iterable<Round>

function* roundsOf(range: unknown, comprehension: Comprehension, run: Run): Generator<Round> {
  const { keySlot, itemSlot, filter: filtering, body, cost } = comprehension
  const enter = (key: unknown, item: unknown): void => {
    if (keySlot !== undefined) run.locals[keySlot] = key
    run.locals[itemSlot] = item
  }
  for (const [key, item] of entriesOf(range, keySlot !== undefined)) {
    run.spend(cost)
    const within = (step: Step) => () => {
      enter(key, item)
      return step(run)
    }
    yield { key, item, filter: filtering === undefined ? undefined : within(filtering), body: within(body) }
  }
}

// With one variable, a macro iterates over the keys of a map.
function* entriesOf(range: unknown, withKeys: boolean): Generator<readonly [unknown, unknown]> {
  if (Array.isArray(range)) {
    for (const [index, item] of range.entries()) yield [BigInt(index), item]
  } else if (isMapping(range)) {
    for (const key of keysOf(range)) yield [key, withKeys ? memberOf(range, key) : key]
  } else {
    throw new EvaluationFailure(`a macro iterates over a list or a map, not over ${describe(range)}`)
  }
}

// A deciding element wins over unknown ones and failures; an unknown element wins over a failure.
function quantify(rounds: Rounds, deciding: boolean): unknown {
  let result: unknown = !deciding
  let failure: EvaluationFailure | undefined
  for (const round of rounds) {
    const holds = attempt(round.body)
    if (holds === deciding) return deciding
    if (holds instanceof EvaluationFailure) failure ??= holds
    else if (isUnknown(holds)) result = unknown
  }
  if (!isUnknown(result) && failure !== undefined) throw failure
  return result
}

/** Evaluates a condition; returns its value or its EvaluationFailure. */
export function attempt(condition: () => unknown): unknown {
  try {
    return asCondition(condition())
  } catch (error) {
    if (error instanceof EvaluationFailure) return error
    throw error
  }
}

/** Checks that a condition is a bool or unknown. */
export function asCondition(given: unknown): unknown {
  const value = withoutType(given)
  if (typeof value === 'boolean' || isUnknown(value)) return value
  throw new EvaluationFailure(`a condition must be a bool, not ${describe(value)}`)
}

function existsOne(rounds: Rounds): unknown {
  let count = 0
  let undecided = false
  for (const { body } of rounds) {
    const holds = asCondition(body())
    if (holds === true) count++
    else if (holds !== false) undecided = true
  }
  if (count > 1) return false
  return undecided ? unknown : count === 1
}

function filter(rounds: Rounds): unknown {
  const kept: unknown[] = []
  for (const { item, body } of rounds) {
    const holds = asCondition(body())
    if (isUnknown(holds)) return unknown
    if (holds === true) kept.push(item)
  }
  return kept
}

function collect(rounds: Rounds, take: (round: Round) => unknown): unknown {
  const items: unknown[] = []
  for (const round of rounds) {
    const holds = round.filter === undefined ? true : asCondition(round.filter())
    if (isUnknown(holds)) return unknown
    if (holds === true) items.push(take(round))
  }
  return items
}

function transformMap(rounds: Rounds): unknown {
  const entries = collect(rounds, ({ key, body }) => [key, body()] as const)
  return isUnknown(entries) ? entries : mappingOf(entries as (readonly [unknown, unknown])[])
}

/** Creates a map from entries: an object if all keys are strings, otherwise a Map. */
export function mappingOf(entries: readonly (readonly [unknown, unknown])[]): unknown {
  if (!entries.every(([key]) => typeof key === 'string')) return new Map(entries)
  const object = emptyObject()
  for (const [key, value] of entries) object[key as string] = value as Value
  return object
}
