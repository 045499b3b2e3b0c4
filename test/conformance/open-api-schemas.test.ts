import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInKinds, openApiSchema, typeNames } from '@hykube/server/kinds'
import { describe, expect, it } from 'vitest'
import { cachedRelease } from '../../tools/kinds/modules.ts'

const release = cachedRelease()

describe('the tables of built-in kinds', () => {
  if (typeof release === 'string') {
    it.skip(`match the schemas of Kubernetes (skipped: ${release}) [needs go]`)
    return
  }

  it('produce the schemas that Kubernetes publishes, apart from descriptions', () => {
    const published = publishedSchemas(join(release.kubernetes, 'api/openapi-spec/v3'))
    const differing = typeNames().filter((name) => {
      if (!published.has(name)) return false
      return canonical(openApiSchema(name)) !== canonical(published.get(name))
    })
    expect(differing).toEqual([])
    expect(typeNames().filter((name) => published.has(name)).length).toBeGreaterThan(500)
  })

  it('produce the resources that Kubernetes serves', () => {
    const file = join(release.kubernetes, 'api/discovery/apis__apps__v1.json')
    const { resources } = JSON.parse(readFileSync(file, 'utf8')) as { resources: { name: string; verbs: string[] }[] }
    const apps = builtInKinds().filter((kind) => kind.group === 'apps')
    const ours = apps.flatMap((kind) => [
      { name: kind.plural, verbs: kind.verbs },
      ...kind.subresources.map((sub) => ({ name: `${kind.plural}/${sub.name}`, verbs: sub.verbs })),
    ])
    expect(ours).toEqual(resources.map(({ name, verbs }) => ({ name, verbs })))
  })
})

function publishedSchemas(directory: string): Map<string, unknown> {
  const schemas = new Map<string, unknown>()
  for (const file of readdirSync(directory)) {
    const document = JSON.parse(readFileSync(join(directory, file), 'utf8')) as {
      components: { schemas?: Record<string, unknown> }
    }
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) schemas.set(name, schema)
  }
  return schemas
}

// A reference is wrapped in allOf only next to a description, so both forms are treated as equal.
function canonical(schema: unknown): string {
  return JSON.stringify(plain(schema, false))
}

function plain(value: unknown, isProperties: boolean): unknown {
  if (typeof value === 'string') return value.replace('#/components/schemas/', '')
  if (Array.isArray(value)) return value.map((item) => plain(item, false))
  if (typeof value !== 'object' || value === null) return value
  const { allOf, ...rest } = value as Record<string, unknown>
  const entries = isProperties
    ? Object.entries(value)
    : Object.entries({ ...rest, ...(allOf as object[] | undefined)?.[0] })
  return Object.fromEntries(
    entries
      .filter(([key]) => isProperties || (key !== 'description' && key !== 'x-kubernetes-group-version-kind'))
      .map(
        ([key, item]) =>
          [
            key,
            key === 'required' && !isProperties
              ? [...(item as string[])].sort()
              : plain(item, key === 'properties' && !isProperties),
          ] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
