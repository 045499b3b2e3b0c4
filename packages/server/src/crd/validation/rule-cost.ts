import { forbiddenValue } from '@hykube/machinery/object'
import { additionalSchema, type JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'

/** The most that one rule may cost by estimate, for all places of an object where it can apply. */
const expressionLimit = 10_000_000

/** The most that all rules of one version may cost together. */
const schemaLimit = 100_000_000

/** The estimated costs of the rules of one version of a definition. */
export class RuleCosts {
  readonly #isLimited: boolean
  readonly #expensive: { readonly field: string; readonly cost: number }[] = []
  #total = 0

  /** `isLimited` is false for a schema that was taken before; then the single rules are not judged again. */
  constructor(isLimited: boolean) {
    this.#isLimited = isLimited
  }

  /** Takes the cost of one expression, and tells whether it is too much by itself. */
  add(field: string, what: 'rule' | 'messageExpression', cost: number): StatusCause[] {
    this.#total += cost
    if (cost >= schemaLimit / 100) this.#expensive.push({ field, cost })
    if (!this.#isLimited || cost <= expressionLimit) return []
    return [forbiddenValue(field, tooExpensive(`estimated ${what} cost`, cost, expressionLimit))]
  }

  /** Whether all of them together are too much, and which of them the most. */
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

/** How many times the parts of a schema can stand in an object; undefined when nothing bounds that. */
export type Times = number | undefined

/** How many times what is inside of a schema can stand there. */
export function timesInside(schema: JsonSchema, times: Times): Times {
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
