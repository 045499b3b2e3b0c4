import type { JsonSchema } from '@hykube/machinery/schema'

/** How large values of a schema can be, as Kubernetes estimates it from the largest request. */
export interface SchemaSizes {
  /** The most characters, bytes, items or entries that a value has. */
  readonly most: number
  /** The fewest bytes that a value takes in JSON. */
  readonly fewestBytes: number
  readonly items?: SchemaSizes
  readonly values?: SchemaSizes
  /** By the names that expressions have for them. */
  readonly fields?: ReadonlyMap<string, SchemaSizes>
}

/** The size of the largest request, in bytes. */
export const largestRequest = 3 * 1024 * 1024

/** How often values of a schema can stand in one request, when nothing else bounds that. */
export function mostTimes({ fewestBytes }: SchemaSizes): number {
  return Math.floor(largestRequest / (fewestBytes + 1))
}

/** What a schema and its parts allow. */
export function sizesOf(schema: JsonSchema, parts: Parts): SchemaSizes {
  if (parts.items !== undefined) {
    const { items } = parts
    const most = schema.maxItems ?? Math.floor((largestRequest - 2) / (items.fewestBytes + 1))
    return { most: Math.max(most, 0), fewestBytes: 2, items }
  }
  if (parts.values !== undefined) {
    const { values } = parts
    const most = schema.maxProperties ?? Math.floor((largestRequest - 2) / (values.fewestBytes + 6))
    return { most: Math.max(most, 0), fewestBytes: 2, values }
  }
  if (parts.fields !== undefined)
    return { most: 0, fewestBytes: fewestOf(schema, parts.properties!), fields: parts.fields }
  return scalarSizes(schema)
}

interface Parts {
  readonly items?: SchemaSizes
  readonly values?: SchemaSizes
  readonly fields?: ReadonlyMap<string, SchemaSizes>
  /** All properties that have a type, with what is required of them. */
  readonly properties?: readonly (readonly [name: string, schema: JsonSchema, sizes: SchemaSizes])[]
}

// What is required and has no default is always there, with quotes, colon and comma.
function fewestOf({ required = [] }: JsonSchema, properties: NonNullable<Parts['properties']>): number {
  let bytes = 2
  for (const [name, schema, sizes] of properties) {
    if (required.includes(name) && schema.default === undefined)
      bytes += Buffer.byteLength(name) + sizes.fewestBytes + 4
  }
  return bytes
}

function scalarSizes(schema: JsonSchema): SchemaSizes {
  if (schema['x-kubernetes-int-or-string'] === true) return { most: lengthOf(schema, 4), fewestBytes: 1 }
  switch (schema.type) {
    case 'string':
      return textSizes(schema)
    case 'boolean':
      return { most: 0, fewestBytes: 4 }
    default:
      return { most: 0, fewestBytes: 1 }
  }
}

function textSizes(schema: JsonSchema): SchemaSizes {
  switch (schema.format) {
    case 'byte':
      return { most: lengthOf(schema, 1), fewestBytes: 2 }
    case 'duration':
      return { most: 32, fewestBytes: 3 }
    case 'date':
      return { most: 12, fewestBytes: 12 }
    case 'date-time':
      return { most: 32, fewestBytes: 21 }
    default:
      return { most: lengthOf(schema, 4), fewestBytes: 2 }
  }
}

// A character takes up to four bytes.
function lengthOf({ maxLength, enum: values = [], type }: JsonSchema, bytes: number): number {
  if (maxLength !== undefined) return Math.max(maxLength, 0) * bytes
  if (type === 'string' && values.length > 0 && bytes === 4) {
    return Math.max(...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)))
  }
  return largestRequest - 2
}
