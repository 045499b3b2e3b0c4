import { BoundedMap } from '@hykube/machinery/base'
import { GoRegexp, RegexpSyntaxError } from '@hykube/machinery/schema'
import { type Overload, overloadsOf } from '../cel/check/functions.ts'
import { EvaluationFailure } from '../cel/evaluate/values.ts'

/** `matches`, `find` and `findAll`. Their time is linear in text and pattern, as with RE2. */
export function regexFunctions(): Overload[] {
  return overloadsOf({
    'matches(string, string): bool': (text: string, pattern: string) => regexpOf(pattern).test(text),
    'string.matches(string): bool': (text: string, pattern: string) => regexpOf(pattern).test(text),
    'string.find(string): string': (text: string, pattern: string) => {
      const match = regexpOf(pattern).find(text)
      return match === undefined ? '' : text.slice(match.start, match.end)
    },
    'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
    'string.findAll(string, int): list<string>': findAll,
  })
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  try {
    return regexpOf(pattern)
      .findAll(text, most, mostSearchSteps)
      .map(({ start, end }) => text.slice(start, end))
  } catch (error) {
    throw error instanceof RangeError ? new EvaluationFailure(`findAll: ${error.message}`) : error
  }
}

/** The most steps of one findAll: about 20 ms. */
export const mostSearchSteps = 2_000_000

const known = new BoundedMap<string, GoRegexp>(1000)

/** Compiles a pattern; fails with EvaluationFailure if it is malformed. */
export function regexpOf(pattern: string): GoRegexp {
  let regexp = known.get(pattern)
  if (regexp === undefined) {
    regexp = compile(pattern)
    known.set(pattern, regexp)
  }
  return regexp
}

function compile(pattern: string): GoRegexp {
  try {
    return new GoRegexp(pattern)
  } catch (error) {
    if (error instanceof RegexpSyntaxError) throw new EvaluationFailure(error.message)
    throw error
  }
}
