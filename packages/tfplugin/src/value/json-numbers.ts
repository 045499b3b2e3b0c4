import { Decimal } from './decimal.ts'
import { ValueError } from './value-error.ts'

/** Parses JSON with every number as a Decimal that has all its digits. Throws ValueError when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    // Looking at every value takes several times as long as reading.
    if (!mayHoldNumber.test(text)) return JSON.parse(text)
    return JSON.parse(text, decimalOfSource as (key: string, value: unknown) => unknown)
  } catch (cause) {
    if (cause instanceof ValueError) throw cause
    throw new ValueError(`this is not JSON: ${(cause as Error).message}`, [], { cause })
  }
}

// Where a number begins: at the start, or after what comes before a value. In a text it only looks like one.
const mayHoldNumber = /(?:^|[:,[])\s*-?\d/

function decimalOfSource(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number') return value
  const decimal = Decimal.parse(context.source ?? String(value))
  if (decimal === undefined) throw new ValueError('a number is too large to be meant', [])
  return decimal
}
