import { forbiddenValue } from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** Maximum estimated cost of one rule over all places of an object where it applies. kube-apiserver's limit. */
const expressionLimit = 10_000_000

/** Maximum estimated cost of all rules of a version. kube-apiserver's limit. */
const schemaLimit = 100_000_000

/** Accumulates the estimated costs of the rules of one version. */
export class RuleCosts {
  readonly #isLimited: boolean
  readonly #expensive: { readonly field: string; readonly cost: number }[] = []
  #total = 0

  /** `isLimited` is false for a schema that was accepted before: its single rules are not rejected again. */
  constructor(isLimited: boolean) {
    this.#isLimited = isLimited
  }

  /** Adds the cost of one expression, and returns an error when it exceeds the limit by itself. */
  add(field: string, what: 'rule' | 'messageExpression', cost: number): StatusCause[] {
    this.#total += cost
    if (cost >= schemaLimit / 100) this.#expensive.push({ field, cost })
    if (!this.#isLimited || cost <= expressionLimit) return []
    return [forbiddenValue(field, tooExpensive(`estimated ${what} cost`, cost, expressionLimit))]
  }

  /** Returns errors when the total exceeds the limit, naming the most expensive rules. */
  problems(schemaField: string): StatusCause[] {
    if (this.#total <= schemaLimit) return []
    const worst = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, 4)
    const contributed = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const whole = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...worst.map(({ field }) => forbiddenValue(field, contributed)),
      forbiddenValue(schemaField, tooExpensive(whole, this.#total, schemaLimit)),
    ]
  }
}

/** How often a part of a schema can occur in an object; undefined when unbounded. */
export type MaxOccurrences = number | undefined

/** Returns how often the elements of a schema can occur. */
export function elementOccurrences(schema: JsonSchema, times: MaxOccurrences): MaxOccurrences {
  if (times === undefined) return undefined
  const most = mostInside(schema)
  return most === undefined ? undefined : times * most
}

function mostInside(schema: JsonSchema): number | undefined {
  if (schema.type === 'array') return bound(schema.maxItems)
  return additionalSchema(schema) !== undefined && schema.type === 'object' ? bound(schema.maxProperties) : 1
}

function bound(most: number | undefined): number | undefined {
  return most === undefined ? undefined : Math.max(most, 0)
}

const advice =
  'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'

function tooExpensive(what: string, cost: number, limit: number): string {
  return `${what} exceeds budget by factor of ${factorText(cost / limit)} (${advice})`
}

function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x'
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
}
