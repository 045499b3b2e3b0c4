import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type GoField, type GoPackage, readGoPackage } from './go-structs.ts'
import type { ReleaseDirectories } from './modules.ts'
import type { Schema } from './open-api.ts'
import { type ProtoField, type ProtoMessage, readProto } from './protos.ts'

/** Sources of the facts about types. */
export interface TypeSources {
  readonly messages: ReadonlyMap<string, ProtoMessage>
  readonly schemas: ReadonlyMap<string, Schema>
  readonly goPackages: ReadonlyMap<string, GoPackage>
}

/** Reads every message of the release with its Go type. */
export function readTypeSources(release: ReleaseDirectories, schemas: ReadonlyMap<string, Schema>): TypeSources {
  const messages = new Map<string, ProtoMessage>()
  const goPackages = new Map<string, GoPackage>()
  for (const directory of [release.api, release.apimachinery, release.apiextensions, release.aggregator]) {
    for (const file of globSync('**/generated.proto', { cwd: directory }).sort()) {
      for (const message of readProto(join(directory, file))) {
        messages.set(message.name, message)
        if (!goPackages.has(message.goPackage)) {
          goPackages.set(message.goPackage, readGoPackage(join(directory, file, '..')))
        }
      }
    }
  }
  return { messages, schemas, goPackages }
}

/** Types with a custom JSON encoding, which is implemented in code instead of tables. */
export const leafTypes: ReadonlySet<string> = new Set([
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.runtime.RawExtension',
  ...['Time', 'MicroTime', 'Duration', 'FieldsV1'].map((name) => `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`),
  ...['JSON', 'JSONSchemaPropsOrArray', 'JSONSchemaPropsOrBool', 'JSONSchemaPropsOrStringArray'].map(
    (name) => `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.${name}`,
  ),
])

/**
 * Returns the table lines of all types reachable from the roots, with a line `#alias package` before the types of each
 * package.
 */
export function typeLines(sources: TypeSources, roots: readonly string[]): string[] {
  const names = [...reachable(sources, roots)].sort()
  const packages = [...new Set([...names, ...leafTypes].map(packageOf))].sort()
  const aliases = new Map(packages.map((name, index) => [name, index.toString(36)]))
  return packages.flatMap((name) => [
    `#${aliases.get(name)} ${name}`,
    ...names.filter((type) => packageOf(type) === name).map((type) => typeLine(sources, type, aliases)),
  ])
}

function reachable(sources: TypeSources, roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const queue = [...roots]
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (found.has(name) || leafTypes.has(name)) continue
    const message = sources.messages.get(name)
    if (message === undefined) throw new Error(`no protobuf message for type ${name}`)
    found.add(name)
    queue.push(...message.fields.map((field) => field.type).filter((type) => type.includes('.')))
  }
  return found
}

// Format of a type: `Name flags field;field;…`, with flag `a` for an atomic struct, `w` for a list wrapped in a
// message, or `-`.
function typeLine(sources: TypeSources, name: string, aliases: ReadonlyMap<string, string>): string {
  const message = sources.messages.get(name)!
  const schema = sources.schemas.get(name) ?? schemaOfInliner(sources, name)
  const goPackage = sources.goPackages.get(message.goPackage)!
  const short = name.slice(packageOf(name).length + 1)
  if (goPackage.slices.has(short)) return `${short} w ${typeText(message.fields[0]!, name, aliases)}`
  const structFields = goPackage.structs.get(short)
  if (structFields === undefined) throw new Error(`no Go struct for message ${name}`)
  const byNumber = new Map(message.fields.map((field) => [field.number, field]))
  const fields = structFields.flatMap((field) => {
    if (field.inline && field.number === 0) return ['apiVersion,0,s', 'kind,0,s']
    const proto = byNumber.get(field.number)
    if (proto === undefined) throw new Error(`no protobuf field ${field.number} of ${name} for ${field.jsonName}`)
    byNumber.delete(field.number)
    return [fieldText(name, field, proto, schema, aliases)]
  })
  if (byNumber.size > 0) throw new Error(`protobuf fields of ${name} without a Go field: ${[...byNumber.keys()]}`)
  const flags = schema['x-kubernetes-map-type'] === 'atomic' ? 'a' : '-'
  return `${short} ${flags}${unionText(schema)} ${fields.join(';')}`
}

function fieldText(
  owner: string,
  field: GoField,
  proto: ProtoField,
  schema: Schema,
  aliases: ReadonlyMap<string, string>,
): string {
  const property = schema.properties?.[field.jsonName] ?? {}
  const parts = [field.inline ? '' : field.jsonName, `${field.number}`, typeText(proto, owner, aliases)]
  const flags = [
    field.pointer ? '?' : '',
    field.omitEmpty || field.inline ? '' : '!',
    field.omitZero ? 'z' : '',
    field.inline ? '^' : '',
    schema.required?.includes(field.jsonName) ? '*' : '',
  ].join('')
  parts.push(flags, listText(property), patchText(property))
  const explicit = explicitDefault(property, field)
  if (explicit !== undefined) parts.push(`=${JSON.stringify(explicit)}`)
  return parts
    .join(',')
    .replace(/,+$/, '')
    .replace(/[;\n]/g, () => {
      throw new Error(`separator in ${owner}.${field.jsonName}`)
    })
}

const scalarLetters: Readonly<Record<string, string>> = {
  string: 's',
  bool: 'b',
  int32: 'i',
  int64: 'l',
  uint32: 'u',
  uint64: 'v',
  double: 'd',
  float: 'f',
  bytes: 'y',
}

function typeText(field: ProtoField, owner: string, aliases: ReadonlyMap<string, string>): string {
  const prefix = field.map ? '{' : field.repeated ? '[' : ''
  const scalar = scalarLetters[field.type]
  if (scalar !== undefined) return prefix + scalar
  const typePackage = packageOf(field.type)
  const short = field.type.slice(typePackage.length + 1)
  return typePackage === packageOf(owner) ? prefix + short : `${prefix}${aliases.get(typePackage)}.${short}`
}

function listText(property: Schema): string {
  const list = property['x-kubernetes-list-type']
  const keys = property['x-kubernetes-list-map-keys'] ?? []
  if (list !== undefined) return [list[0], ...keys].join(':')
  return property['x-kubernetes-map-type']?.[0] ?? ''
}

function patchText(property: Schema): string {
  const strategies = property['x-kubernetes-patch-strategy'] ?? ''
  const letters = strategies
    .split(',')
    .map((strategy) => (strategy === 'retainKeys' ? 'k' : strategy.slice(0, 1)))
    .join('')
  const key = property['x-kubernetes-patch-merge-key']
  return key === undefined ? letters : `${letters}:${key}`
}

// Zero defaults of fields that Go always writes are implied, so only other defaults are recorded.
function explicitDefault(property: Schema, field: GoField): unknown {
  const value = property.default
  const isZero = value === '' || value === 0 || value === false
  return typeof value === 'object' || (isZero && !field.pointer && !field.omitEmpty) ? undefined : value
}

// A type that is only inlined has no schema of its own; its fields are in the schema of the enclosing type.
function schemaOfInliner(sources: TypeSources, name: string): Schema {
  const short = name.slice(packageOf(name).length + 1)
  for (const message of sources.messages.values()) {
    const owner = message.name.slice(packageOf(message.name).length + 1)
    const fields = sources.goPackages.get(message.goPackage)?.structs.get(owner) ?? []
    const inlines = fields.some((field) => field.inline && field.goType.split('.').at(-1) === short)
    const schema = sources.schemas.get(message.name)
    if (inlines && packageOf(message.name) === packageOf(name) && schema !== undefined) return schema
  }
  return {}
}

function unionText(schema: Schema): string {
  return (schema['x-kubernetes-unions'] ?? [])
    .map((union) => {
      const fields = Object.entries(union['fields-to-discriminateBy'] ?? {}).map(
        ([field, value]) => `${field}=${value}`,
      )
      return `|${union.discriminator ?? ''}:${fields.join(':')}`
    })
    .join('')
}

function packageOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'))
}

/** Returns the schema name of a kind. */
export function typeNameOf(
  schemas: ReadonlyMap<string, Schema>,
  gvk: { group: string; version: string; kind: string },
): string {
  for (const [name, schema] of schemas) {
    const gvks = (schema as { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] })[
      'x-kubernetes-group-version-kind'
    ]
    if (gvks?.some((entry) => entry.group === gvk.group && entry.version === gvk.version && entry.kind === gvk.kind)) {
      return name
    }
  }
  throw new Error(`no schema for ${gvk.group}/${gvk.version} ${gvk.kind}`)
}
