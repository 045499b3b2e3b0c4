import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The parts of an OpenAPI schema that the tables use. */
export interface Schema {
  readonly type?: string
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly 'x-kubernetes-list-type'?: string
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-unions'?: readonly Union[]
}

/** Fields of which one may be set, as named by the discriminator. */
export interface Union {
  readonly discriminator?: string
  readonly 'fields-to-discriminateBy'?: Readonly<Record<string, string>>
}

/** Reads the schemas of all group-versions of the release, by name. */
export function readSchemas(kubernetes: string): ReadonlyMap<string, Schema> {
  const directory = join(kubernetes, 'api/openapi-spec/v3')
  const schemas = new Map<string, Schema>()
  for (const file of readdirSync(directory).sort()) {
    const document = JSON.parse(readFileSync(join(directory, file), 'utf8')) as {
      components: { schemas?: Record<string, Schema> }
    }
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) schemas.set(name, schema)
  }
  return schemas
}
