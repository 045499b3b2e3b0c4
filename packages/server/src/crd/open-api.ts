import type { OpenApi } from '@hykube/machinery/resource-type'
import type { JsonSchema } from '@hykube/machinery/schema'
import type { Definition } from './definition.ts'

/** OpenAPI fingerprint and schema of a custom resource version. */
export function customOpenApi({ metadata }: Definition, version: string, schema: JsonSchema): OpenApi {
  return {
    fingerprint: `${metadata?.uid}/${metadata?.generation}/${version}`,
    definitions: () => ({ schema: schema as Readonly<Record<string, unknown>> }),
  }
}
