import { Decimal } from './decimal.ts'
import { ValueError } from './value-error.ts'

/** Parses JSON with every number as a Decimal that has all its digits. Throws ValueError when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, decimalOfSource as (key: string, value: unknown) => unknown)
  } catch (cause) {
    if (cause instanceof ValueError) throw cause
    throw new ValueError(`this is not JSON: ${(cause as Error).message}`, [], { cause })
  }
}

function decimalOfSource(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value
  const decimal = Decimal.parse(context.source ?? String(value))
  if (decimal === undefined) throw new ValueError('a number is too large to be meant', [])
  return decimal
}
