import {
  addQuantities,
  compareQuantities,
  type Quantity,
  QuantityError,
  quantityFromInteger,
  quantityFromText,
  quantityToInteger,
  quantityToText,
  subtractQuantities,
} from '@hykube/machinery/amounts'
import { type Overload, overloadsOf } from '../cel/check/functions.ts'
import { libraryTypes } from '../cel/check/type-text.ts'
import { EvaluationFailure, LibraryValue } from '../cel/evaluate/values.ts'

/** Kubernetes' quantity library: `quantity("1Gi").isGreaterThan(quantity("500M"))`. */
export function quantityFunctions(): Overload[] {
  return overloadsOf({
    'quantity(string): Quantity': (text: string) => {
      const value = parse(text)
      if (value === undefined) {
        throw new EvaluationFailure(
          "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        )
      }
      return new CelQuantity(value)
    },
    'isQuantity(string): bool': (text: string) => parse(text) !== undefined,
    'Quantity.isGreaterThan(Quantity): bool': (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0n,
    'Quantity.isLessThan(Quantity): bool': (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0n,
    'Quantity.compareTo(Quantity): int': compare,
    'Quantity.add(Quantity): Quantity': (a: CelQuantity, b: CelQuantity) =>
      new CelQuantity(addQuantities(a.value, b.value)),
    'Quantity.add(int): Quantity': (a: CelQuantity, b: bigint) =>
      new CelQuantity(addQuantities(a.value, quantityFromInteger(b))),
    'Quantity.sub(Quantity): Quantity': (a: CelQuantity, b: CelQuantity) =>
      new CelQuantity(subtractQuantities(a.value, b.value)),
    'Quantity.sub(int): Quantity': (a: CelQuantity, b: bigint) =>
      new CelQuantity(subtractQuantities(a.value, quantityFromInteger(b))),
    'sign(Quantity): int': (a: CelQuantity) => compare(a, zero),
    'Quantity.isInteger(): bool': (a: CelQuantity) =>
      compare(new CelQuantity(quantityFromInteger(rounded(a))), a) === 0n,
    'Quantity.asInteger(): int': (a: CelQuantity) => {
      const whole = rounded(a)
      if (compare(new CelQuantity(quantityFromInteger(whole)), a) !== 0n) {
        throw new EvaluationFailure('cannot convert value to integer')
      }
      return whole
    },
    'Quantity.asApproximateFloat(): double': (a: CelQuantity) => approximate(a),
    'string(Quantity): string': (a: CelQuantity) => quantityToText(a.value),
  })
}

class CelQuantity extends LibraryValue {
  readonly type = libraryTypes.Quantity
  readonly value: Quantity

  constructor(value: Quantity) {
    super()
    this.value = value
  }

  override equals(other: CelQuantity): boolean {
    return compare(this, other) === 0n
  }
}

const zero = new CelQuantity(quantityFromInteger(0n))

function parse(text: string): Quantity | undefined {
  try {
    return quantityFromText(text)
  } catch (error) {
    if (error instanceof QuantityError) return undefined
    throw error
  }
}

function compare(a: CelQuantity, b: CelQuantity): bigint {
  return BigInt(compareQuantities(a.value, b.value))
}

function rounded(a: CelQuantity): bigint {
  return BigInt(quantityToInteger(a.value))
}

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

function approximate(a: CelQuantity): number {
  const match = /^([+-]?[0-9.]+)([a-zA-Z]*)(?:e([+-]?\d+))?$/.exec(quantityToText(a.value))
  if (match === null) return Number(quantityToText(a.value))
  return Number(match[1]) * (suffixes[match[2] ?? ''] ?? 1) * 10 ** Number(match[3] ?? 0)
}
