import type { OpenApi } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { Definition } from './definition.ts'

/** What OpenAPI documents say of a custom resource: its schema as its definition has it. */
export function customOpenApi({ metadata }: Definition, version: string, schema: JsonSchema): OpenApi {
  return {
    fingerprint: `${metadata?.uid}/${metadata?.generation}/${version}`,
    definitions: () => ({ schema: schema as Readonly<Record<string, unknown>> }),
  }
}
