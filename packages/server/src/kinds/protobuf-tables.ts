import {
  type FieldTable,
  type FieldType,
  jsonSchemaLeaves,
  kubernetesLeaves,
  type LeafCodec,
  listLeaf,
  type MessageTable,
  type Presence,
  type ScalarType,
} from '@hykube/machinery/protobuf'
import { type FieldFacts, type TypeFacts, type TypeRef, typeFacts } from './type-table.ts'

/** Returns the protobuf table of a Kubernetes API type, built on first use; undefined for unknown types. */
export function protobufTable(typeName: string): MessageTable | undefined {
  const known = tables.get(typeName)
  if (known !== undefined) return known
  const facts = typeFacts(typeName)
  if (facts === undefined) return undefined
  const table = { name: typeName, fields: facts.fields.map(fieldTable) }
  tables.set(typeName, table)
  return table
}

/** Returns the table of a kind's list: every list has its metadata in field 1 and its items in field 2. */
export function protobufListTable(itemTypeName: string): MessageTable | undefined {
  const name = `${itemTypeName}List`
  const known = tables.get(name)
  const items = protobufTable(itemTypeName)
  if (known !== undefined || items === undefined) return known
  const table: MessageTable = {
    name,
    fields: [
      { number: 1, name: 'metadata', type: () => tableOf(listMeta), presence: 'go-always' },
      { number: 2, name: 'items', type: () => items, repeated: true, presence: 'go-always' },
    ],
  }
  tables.set(name, table)
  return table
}

const tables = new Map<string, MessageTable>()
const leaves = new Map<string, LeafCodec>()
const listMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta'
const schemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'

function tableOf(typeName: string): MessageTable {
  const table = protobufTable(typeName)
  if (table === undefined) throw new Error(`no protobuf table for ${typeName}: run \`npm run kinds\``)
  return table
}

function fieldTable(field: FieldFacts): FieldTable {
  const type = fieldType(field.type)
  return {
    number: field.number,
    name: field.name,
    type,
    presence: presence(field, type),
    ...(field.collection === 'list' && { repeated: true }),
    ...(field.collection === 'map' && { mapKey: 'string' as const }),
    ...(field.inline && { inline: true }),
  }
}

// Go omits zero scalars and empty collections with `omitempty`, but never a struct.
function presence(field: FieldFacts, type: FieldType): Presence {
  if (field.pointer) return 'explicit'
  const isStruct = field.collection === 'none' && typeof type !== 'string' && !isList(field.type)
  if (field.omitZero) return 'go-value'
  return field.always || isStruct ? 'go-always' : 'go-value'
}

function isList(type: TypeRef): boolean {
  return type.kind === 'type' && typeFacts(type.name)?.listOf !== undefined
}

function fieldType(type: TypeRef): FieldType {
  if (type.kind === 'scalar') return type.scalar === 'bytes' ? 'base64' : type.scalar
  const leaf = leafCodec(type.name)
  return leaf ?? (() => tableOf(type.name))
}

function leafCodec(typeName: string): LeafCodec | undefined {
  if (leaves.size === 0) addLeaves()
  const known = leaves.get(typeName)
  if (known !== undefined) return known
  const facts = typeFacts(typeName)
  if (facts?.listOf === undefined) return undefined
  const leaf = wrappedList(facts)
  leaves.set(typeName, leaf)
  return leaf
}

function wrappedList(facts: TypeFacts): LeafCodec {
  if (facts.listOf?.kind !== 'scalar') throw new Error(`${facts.name} wraps a list of messages, which is not known`)
  return listLeaf(facts.name, facts.listOf.scalar as ScalarType)
}

const leafPackages: Readonly<Record<string, string>> = {
  Quantity: 'io.k8s.apimachinery.pkg.api.resource',
  IntOrString: 'io.k8s.apimachinery.pkg.util.intstr',
  RawExtension: 'io.k8s.apimachinery.pkg.runtime',
  JSON: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
}

function addLeaves(): void {
  for (const [name, leaf] of kubernetesLeaves()) {
    leaves.set(`${leafPackages[name] ?? 'io.k8s.apimachinery.pkg.apis.meta.v1'}.${name}`, leaf)
  }
  for (const [name, leaf] of jsonSchemaLeaves(() => tableOf(schemaProps))) {
    leaves.set(`${leafPackages.JSON}.${name}`, leaf)
  }
}
