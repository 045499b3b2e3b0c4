import { GoRegexp, RegexpSyntaxError } from '@hykube/machinery/schema'
import { FunctionFailure, type FunctionTable, type Int } from './function-table.ts'

/** The name that `matches` has inside: the library's own can be made to run for ever by a pattern, and can't be replaced. */
export const matchesName = 'matchesInLinearTime'

/** `matches`, `find` and `findAll`. */
export const regexFunctions: FunctionTable = {
  [`string.${matchesName}(string): bool`]: (text: string, pattern: string) => regexpOf(pattern).test(text),
  'string.find(string): string': (text: string, pattern: string) => {
    const match = regexpOf(pattern).find(text)
    return match === undefined ? '' : text.slice(match.start, match.end)
  },
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
  'string.findAll(string, int): list<string>': findAll,
}

function findAll(text: string, pattern: string, limit: Int): string[] {
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  return regexpOf(pattern)
    .findAll(text, most)
    .map(({ start, end }) => text.slice(start, end))
}

const known = new Map<string, GoRegexp>()

function regexpOf(pattern: string): GoRegexp {
  let regexp = known.get(pattern)
  if (regexp === undefined) {
    regexp = compile(pattern)
    if (known.size >= 1000) known.clear()
    known.set(pattern, regexp)
  }
  return regexp
}

function compile(pattern: string): GoRegexp {
  try {
    return new GoRegexp(pattern)
  } catch (error) {
    if (error instanceof RegexpSyntaxError) throw new FunctionFailure(error.message)
    throw error
  }
}
