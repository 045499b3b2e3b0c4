import { Decimal } from './decimal.ts'
import { ValueError } from './value-error.ts'

/** Parses JSON with every number as an exact Decimal. Throws ValueError when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    // A reviver makes JSON.parse several times slower, so it is used only when there may be a number.
    if (!mayHoldNumber.test(text)) return JSON.parse(text)
    return JSON.parse(text, decimalOfSource as (key: string, value: unknown) => unknown)
  } catch (cause) {
    if (cause instanceof ValueError) throw cause
    throw new ValueError(`this is not JSON: ${(cause as Error).message}`, [], { cause })
  }
}

// Matches where a number can begin: at the start, or after a character that precedes a value. A match inside a string
// only costs the slower path.
const mayHoldNumber = /(?:^|[:,[])\s*-?\d/

function decimalOfSource(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value
  const decimal = Decimal.parse(context.source ?? String(value))
  if (decimal === undefined) throw new ValueError('a number has too many digits', [])
  return decimal
}
