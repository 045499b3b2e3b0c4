import { FunctionFailure, type FunctionTable, type Int } from './function-table.ts'

/** `find` and `findAll`; `matches` is CEL's own. */
export const regexFunctions: FunctionTable = {
  'string.find(string): string': (text: string, pattern: string) => expressionOf(pattern).exec(text)?.[0] ?? '',
  'string.findAll(string): list<string>': (text: string, pattern: string) => findAll(text, pattern, -1n),
  'string.findAll(string, int): list<string>': findAll,
}

function findAll(text: string, pattern: string, limit: Int): string[] {
  const found: string[] = []
  if (limit === 0n) return found
  for (const match of text.matchAll(expressionOf(pattern, 'g'))) {
    found.push(match[0])
    if (limit > 0n && found.length >= Number(limit)) break
  }
  return found
}

function expressionOf(pattern: string, flags = ''): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch {
    throw new FunctionFailure(`Illegal regex: error parsing regexp: ${pattern}`)
  }
}
