import {
  addQuantities,
  compareQuantities,
  type Quantity,
  quantityFromJson,
  quantityFromText,
  quantityToText,
  subtractQuantities,
} from '@hykube/machinery/amounts'

/** Quantities by resource name. */
export type Amounts = ReadonlyMap<string, Quantity>

/**
 * Parses quantities of an object (`{cpu: '1', memory: '2Gi'}`). Invalid ones are skipped, because validation rejects
 * them.
 */
export function amountsFrom(value: unknown): Amounts {
  if (typeof value !== 'object' || value === null) return none
  return new Map(Object.entries(value).flatMap(([name, amount]) => readAmount(name, amount)))
}

/** Formats quantities as an object, sorted by name. */
export function amountsToObject(amounts: Amounts): Record<string, string> {
  return Object.fromEntries(sorted(amounts).map(([name, amount]) => [name, quantityToText(amount)]))
}

/** `cpu=1,memory=2Gi`, sorted by name. */
export function amountsToText(amounts: Amounts): string {
  return sorted(amounts)
    .map(([name, amount]) => `${name}=${quantityToText(amount)}`)
    .join(',')
}

/** Adds quantities; a name in only one of them keeps its value. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a)
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? zero, amount))
  return sum
}

/** Returns the quantities of `a` that exceed those of `b`. */
export function excessOf(a: Amounts, b: Amounts): Amounts {
  const rest = [...a].map(([name, amount]) => [name, subtractQuantities(amount, b.get(name) ?? zero)] as const)
  return new Map(rest.filter(([, amount]) => compareQuantities(amount, zero) > 0))
}

/** Returns the larger quantity of each name. */
export function largerAmounts(a: Amounts, b: Amounts): Amounts {
  const larger = new Map(a)
  for (const [name, amount] of b) {
    const other = larger.get(name)
    if (other === undefined || compareQuantities(other, amount) < 0) larger.set(name, amount)
  }
  return larger
}

/** Returns the quantities with these names. */
export function onlyNamed(amounts: Amounts, names: { has(name: string): boolean }): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)))
}

const zero: Quantity = quantityFromText('0')
const none: Amounts = new Map()

function readAmount(name: string, amount: unknown): [string, Quantity][] {
  try {
    return [[name, quantityFromJson(amount as string)]]
  } catch {
    return []
  }
}

function sorted(amounts: Amounts): [string, Quantity][] {
  return [...amounts].sort(([a], [b]) => (a < b ? -1 : 1))
}
