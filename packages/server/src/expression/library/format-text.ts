import { FunctionFailure } from './function-table.ts'

/** `"%d of %s".format([3, "x"])`: the clauses %s %d %f %e %b %o %x %X and %%. */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0
  return template.replace(/%(?:\.(\d+))?(.?)/gs, (_, precision: string | undefined, clause: string) => {
    if (clause === '%') return '%'
    if (next >= values.length) throw new FunctionFailure(`index ${next} out of range`)
    return clauseText(clause, values[next++], precision === undefined ? 6 : Number(precision))
  })
}

function clauseText(clause: string, value: unknown, precision: number): string {
  switch (clause) {
    case 's':
      return shown(value)
    case 'd':
      if (typeof value === 'bigint') return String(value)
      if (typeof value === 'number') return shown(value)
      throw wrongType(value, 'decimal clause can only be used on integers')
    case 'f':
      return asNumber(value, 'fixed-point clause can only be used on doubles').toFixed(Math.min(precision, 100))
    case 'e':
      return scientific(asNumber(value, 'scientific clause can only be used on doubles'), precision)
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0'
      return asInteger(value, 'only integers and bools can be formatted as binary').toString(2)
    case 'o':
      return asInteger(value, 'octal clause can only be used on integers').toString(8)
    case 'x':
    case 'X': {
      const hex = typeof value === 'string' ? Buffer.from(value).toString('hex') : hexOf(value)
      return clause === 'X' ? hex.toUpperCase() : hex
    }
    default:
      throw new FunctionFailure(`could not parse formatting clause: unrecognized formatting clause "${clause}"`)
  }
}

function hexOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return asInteger(value, 'only integers, byte buffers, and strings can be formatted as hex').toString(16)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null) return 'null'
  if (typeof value === 'number') return numberText(value)
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z')
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (value instanceof Map) {
    const entries = [...value].map(([key, item]) => `${shown(key)}: ${shown(item)}`).sort()
    return `{${entries.join(', ')}}`
  }
  return String(value)
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return String(value)
}

function scientific(value: number, precision: number): string {
  return value.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2')
}

function asNumber(value: unknown, otherwise: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  throw wrongType(value, otherwise)
}

function asInteger(value: unknown, otherwise: string): bigint {
  if (typeof value === 'bigint') return value
  throw wrongType(value, otherwise)
}

function wrongType(_value: unknown, why: string): FunctionFailure {
  return new FunctionFailure(`error during formatting: ${why}`)
}
