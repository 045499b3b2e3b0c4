import type { JsonSchema } from '@hykube/machinery/schema'

/** The possible sizes of a schema's values, estimated from the maximum request size as Kubernetes does. */
export interface SchemaSizes {
  /** The maximum number of characters, bytes, items or entries of a value. */
  readonly max: number
  /** The minimum size of a value in JSON, in bytes. */
  readonly minBytes: number
  readonly items?: SchemaSizes
  readonly values?: SchemaSizes
  /** By their names in expressions. */
  readonly fields?: ReadonlyMap<string, SchemaSizes>
}

/** Kubernetes' maximum request size, in bytes. */
export const largestRequest = 3 * 1024 * 1024

/** The maximum number of values of a schema in one request, if no other limit applies. */
export function maxOccurrences({ minBytes }: SchemaSizes): number {
  return Math.floor(largestRequest / (minBytes + 1))
}

/** Computes the sizes of a schema from those of its parts. */
export function sizesOf(schema: JsonSchema, parts: Parts): SchemaSizes {
  if (parts.items !== undefined) {
    const { items } = parts
    const max = schema.maxItems ?? Math.floor((largestRequest - 2) / (items.minBytes + 1))
    return { max: Math.max(max, 0), minBytes: 2, items }
  }
  if (parts.values !== undefined) {
    const { values } = parts
    const max = schema.maxProperties ?? Math.floor((largestRequest - 2) / (values.minBytes + 6))
    return { max: Math.max(max, 0), minBytes: 2, values }
  }
  if (parts.fields !== undefined) return { max: 0, minBytes: fewestOf(schema, parts.properties!), fields: parts.fields }
  return scalarSizes(schema)
}

interface Parts {
  readonly items?: SchemaSizes
  readonly values?: SchemaSizes
  readonly fields?: ReadonlyMap<string, SchemaSizes>
  /** All properties with a type. */
  readonly properties?: readonly (readonly [name: string, schema: JsonSchema, sizes: SchemaSizes])[]
}

// Required properties without a default are always present; each adds its name, two quotes, a colon and a comma.
function fewestOf({ required = [] }: JsonSchema, properties: NonNullable<Parts['properties']>): number {
  let bytes = 2
  for (const [name, schema, sizes] of properties) {
    if (required.includes(name) && schema.default === undefined) bytes += Buffer.byteLength(name) + sizes.minBytes + 4
  }
  return bytes
}

function scalarSizes(schema: JsonSchema): SchemaSizes {
  if (schema['x-kubernetes-int-or-string'] === true) return { max: lengthOf(schema, 4), minBytes: 1 }
  switch (schema.type) {
    case 'string':
      return textSizes(schema)
    case 'boolean':
      return { max: 0, minBytes: 4 }
    default:
      return { max: 0, minBytes: 1 }
  }
}

function textSizes(schema: JsonSchema): SchemaSizes {
  switch (schema.format) {
    case 'byte':
      return { max: lengthOf(schema, 1), minBytes: 2 }
    case 'duration':
      return { max: 32, minBytes: 3 }
    case 'date':
      return { max: 12, minBytes: 12 }
    case 'date-time':
      return { max: 32, minBytes: 21 }
    default:
      return { max: lengthOf(schema, 4), minBytes: 2 }
  }
}

// `bytes` is the number of bytes of a character: up to four in UTF-8, one in base64.
function lengthOf({ maxLength, enum: values = [], type }: JsonSchema, bytes: number): number {
  if (maxLength !== undefined) return Math.max(maxLength, 0) * bytes
  if (type === 'string' && values.length > 0 && bytes === 4) {
    return Math.max(...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)))
  }
  return largestRequest - 2
}
