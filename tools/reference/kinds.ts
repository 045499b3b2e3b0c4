import type { Ask } from './running-server.ts'
import { generated, table } from './table.ts'

/** Builds the page of Hykube's own kinds and the simulated cloud's, with fields from OpenAPI. */
export async function kindsPage(ask: Ask): Promise<string> {
  const parts = [
    '# Kinds',
    generated,
    'The kinds that are Hykube’s own. Those of providers follow from their schemas ([how](../provider-kinds.md)); `kubectl explain` tells the fields of any of them. `status` is described in [conditions](conditions.md).',
  ]
  for (const { title, path, common } of documents) {
    const document = JSON.parse(await ask(path)) as OpenApi
    parts.push(`## ${title}`)
    const kinds = kindsOf(document)
    for (const [kind, schema] of kinds) parts.push(...kindParts(document, kind, schema, common))
    if (common.length > 0 && kinds[0] !== undefined)
      parts.push(
        '### Fields of every kind of a provider',
        fieldTable(document, pick(specOf(document, kinds[0][1]), common)),
      )
  }
  return parts.join('\n\n')
}

const reserved = ['count', 'for_each', 'provider', 'depends_on', 'lifecycle']

const documents = [
  { title: 'hykube.io/v1alpha1', path: '/openapi/v3/apis/hykube.io/v1alpha1', common: [] },
  { title: 'sim.hykube.io/v1', path: '/openapi/v3/apis/sim.hykube.io/v1', common: reserved },
  { title: 'data.sim.hykube.io/v1', path: '/openapi/v3/apis/data.sim.hykube.io/v1', common: ['count', 'for_each'] },
]

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly type?: string
  readonly description?: string | undefined
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[]
}

function kindsOf({ components }: OpenApi): [string, Schema][] {
  return Object.values(components.schemas)
    .flatMap((schema): [string, Schema][] => {
      const kind = schema['x-kubernetes-group-version-kind']?.[0]?.kind
      return kind === undefined || schema.properties?.spec === undefined || kind === 'Scale' ? [] : [[kind, schema]]
    })
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function kindParts(document: OpenApi, kind: string, schema: Schema, common: readonly string[]): string[] {
  const spec = specOf(document, schema)
  const own = Object.keys(spec.properties ?? {}).filter((name) => common.length === 0 || !reserved.includes(name))
  return [`### ${kind}`, schema.description ?? '', fieldTable(document, pick(spec, own))].filter((part) => part !== '')
}

function specOf(document: OpenApi, { properties }: Schema): Schema {
  return resolved(document, properties?.spec ?? {})
}

function pick(schema: Schema, names: readonly string[]): Schema {
  const { properties = {} } = schema
  return {
    ...schema,
    properties: Object.fromEntries(names.flatMap((name) => (name in properties ? [[name, properties[name]!]] : []))),
  }
}

function fieldTable(document: OpenApi, spec: Schema): string {
  const rows = fieldsOf(document, spec, '')
  return rows.length === 0 ? 'No fields.' : table(['field of `spec`', 'type', ''], rows)
}

function fieldsOf(document: OpenApi, schema: Schema, prefix: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = resolved(document, given)
    const path = `${prefix}${name}`
    const isRequired = schema.required?.includes(name) === true
    const items = field.items === undefined ? undefined : resolved(document, field.items)
    return [
      [`\`${path}\``, typeOf(field), [isRequired ? 'Required.' : '', aboutOf(field)].join(' ').trim()],
      ...fieldsOf(document, field, `${path}.`),
      ...(items === undefined ? [] : fieldsOf(document, items, `${path}[].`)),
    ]
  })
}

function aboutOf({ description = '', default: usual, enum: values }: Schema): string {
  return [
    description.replace(describedType, ''),
    values === undefined ? '' : `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`,
    usual === undefined ? '' : `Default \`${defaultOf(usual)}\`.`,
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function defaultOf(value: unknown): string {
  return typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value)
}

// A field that allows expressions is published without a type; its description starts with the type in brackets.
function typeOf({ type, properties, items, additionalProperties, description = '' }: Schema): string {
  const [, told] = describedType.exec(description) ?? []
  if (told !== undefined) return told
  if (type === 'array' && items?.type !== undefined) return `list of ${items.type}`
  if (type !== undefined) return additionalProperties?.type === undefined ? type : `map of ${additionalProperties.type}`
  if (items !== undefined) return 'list, or an expression'
  return properties === undefined ? 'any' : 'object, or an expression'
}

const describedType = /^\(((?:[^()]|\([^()]*\))+)\) ?/

function resolved(document: OpenApi, schema: Schema): Schema {
  const [first] = schema.allOf ?? []
  const name = (schema.$ref ?? first?.$ref)?.split('/').at(-1)
  if (name === undefined) return schema
  const { $ref: _, allOf: __, ...own } = schema
  const shared = resolved(document, document.components.schemas[name] ?? {})
  const [type = ''] = describedType.exec(shared.description ?? '') ?? []
  const description = own.description === undefined ? shared.description : type + own.description
  const properties = { ...own.properties, ...shared.properties }
  return { ...shared, ...own, description, ...(Object.keys(properties).length > 0 && { properties }) }
}
