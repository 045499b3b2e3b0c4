import type { JsonSchema } from '@hykube/machinery/schema'

/** What OpenAPI documents say of a custom resource: its schema as its definition has it. */
export function customOpenApi(schema: JsonSchema): () => unknown {
  return () => schema
}
