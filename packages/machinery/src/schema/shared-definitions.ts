import { canonicalJson, type JsonValue } from '../json/index.ts'
import type { JsonSchema } from './json-schema.ts'

/** A schema, or a reference to one that several places share. */
export type ReferringSchema = Readonly<Record<string, unknown>>

/**
 * Takes equal structures out of schemas, so that each is written once and referred to. Structures are shared when they
 * occur at least twice and are longer than a reference to them would be.
 */
export function shareDefinitions(
  schemas: ReadonlyMap<string, JsonSchema>,
  reference: (name: string) => string,
  nameOf: (index: number) => string,
): ReadonlyMap<string, ReferringSchema> {
  const counts = new Map<string, number>()
  const texts = new WeakMap<object, string>()
  for (const schema of schemas.values()) countStructures(schema, counts, texts, true)
  const names = new Map<string, string>()
  const definitions = new Map<string, ReferringSchema>()
  const referring = (schema: JsonSchema, isTop: boolean): ReferringSchema => {
    const text = texts.get(schema) ?? ''
    if (!isTop && isStructure(schema) && (counts.get(text) ?? 0) > 1 && text.length > minimumLength) {
      let name = names.get(text)
      if (name === undefined) {
        name = nameOf(names.size)
        names.set(text, name)
        definitions.set(
          name,
          mapInner(schema, (inner) => referring(inner, false)),
        )
      }
      return { $ref: reference(name) }
    }
    return mapInner(schema, (inner) => referring(inner, false))
  }
  for (const [name, schema] of schemas) definitions.set(name, referring(schema, true))
  return definitions
}

const minimumLength = 160

function isStructure(schema: JsonSchema): boolean {
  return schema.properties !== undefined
}

// Every occurrence counts, also those inside structures that are shared themselves.
function countStructures(
  schema: JsonSchema,
  counts: Map<string, number>,
  texts: WeakMap<object, string>,
  isTop: boolean,
): void {
  if (isStructure(schema) && !isTop) {
    const text = canonicalJson(schema as JsonValue)
    texts.set(schema, text)
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
  }
  mapInner(schema, (inner) => {
    countStructures(inner, counts, texts, false)
    return inner as ReferringSchema
  })
}

function mapInner(schema: JsonSchema, change: (inner: JsonSchema) => ReferringSchema): ReferringSchema {
  const { properties, items, additionalProperties, ...rest } = schema
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(inner)])),
    }),
    ...(items !== undefined && { items: change(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? change(additionalProperties) : additionalProperties,
    }),
  }
}
