import { invalidValue } from '@hykube/machinery/object'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { StatusCause } from '@hykube/machinery/status'
import type { DefinitionSpec } from '../definition.ts'

// Validation runs on the event loop, so the size of a definition's schemas bounds its duration. Each limit applies to the
// sum over all versions. Equal patterns are compiled once and count once: generated definitions repeat that of a quantity often.
const limits = {
  schemas: { most: 50_000, what: 'schemas' },
  patterns: { most: 1_000, what: 'different patterns' },
  patternText: { most: 64 * 1024, what: 'characters in different patterns' },
  ruleText: { most: 256 * 1024, what: 'characters in validation rules' },
  // Comparison with the stored object takes a pass over the value for each level.
  depth: { most: 100, what: 'nested levels of schemas' },
  // Each level of combinators doubles the work for an invalid value.
  nesting: { most: 5, what: 'nested levels of allOf, anyOf, oneOf and not' },
} as const

type Sizes = Record<keyof typeof limits, number>

/** Returns an error for each limit that the schemas of a definition exceed. */
export function sizeProblems({ versions = [] }: DefinitionSpec): StatusCause[] {
  const sizes: Sizes = { schemas: 0, patterns: 0, patternText: 0, ruleText: 0, depth: 0, nesting: 0 }
  const patterns = new Set<string>()
  for (const { schema } of versions) addSizes(schema?.openAPIV3Schema, sizes, patterns, 0, 0)
  sizes.patterns = patterns.size
  for (const pattern of patterns) sizes.patternText += pattern.length
  return (Object.keys(limits) as (keyof Sizes)[])
    .filter((name) => sizes[name] > limits[name].most)
    .map((name) =>
      invalidValue('spec.versions', sizes[name], `must have at most ${limits[name].most} ${limits[name].what}`),
    )
}

function addSizes(
  schema: JsonSchema | boolean | null | undefined,
  sizes: Sizes,
  patterns: Set<string>,
  depth: number,
  nesting: number,
): void {
  if (typeof schema !== 'object' || schema === null) return
  const { pattern, properties, additionalProperties, items, allOf, anyOf, oneOf, not } = schema
  sizes.schemas++
  sizes.depth = Math.max(sizes.depth, depth)
  sizes.nesting = Math.max(sizes.nesting, nesting)
  if (pattern) patterns.add(pattern)
  for (const { rule, messageExpression } of schema['x-kubernetes-validations'] ?? []) {
    sizes.ruleText += (rule?.length ?? 0) + (messageExpression?.length ?? 0)
  }
  for (const property of Object.values(properties ?? {})) addSizes(property, sizes, patterns, depth + 1, nesting)
  addSizes(additionalProperties, sizes, patterns, depth + 1, nesting)
  addSizes(items, sizes, patterns, depth + 1, nesting)
  for (const parts of [allOf, anyOf, oneOf])
    for (const part of parts ?? []) addSizes(part, sizes, patterns, depth, nesting + 1)
  addSizes(not, sizes, patterns, depth, nesting + 1)
}
