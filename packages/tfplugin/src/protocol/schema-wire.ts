import type { FieldTable, MessageTable } from '@hykube/machinery/protobuf'
import type { Attribute, AttributeShape, Block, IdentitySchema, NestedBlock, Nesting, Schema } from '../schema/index.ts'
import { type Type, typeFromJson, typeToJson } from '../value/index.ts'
import type { FunctionParameter, FunctionSchema } from './messages.ts'

/** Wire format of schemas. Protocols 5 and 6 number some attribute fields differently. */
export type ProtocolVersion = 5 | 6

export function schemaTable(version: ProtocolVersion): MessageTable {
  return version === 5 ? schemas5 : schemas6
}

export function schemaFromWire(wire: WireSchema): Schema {
  return { version: Number(wire.version), block: blockFromWire(wire.block ?? emptyWireBlock) }
}

export function schemaToWire(schema: Schema): WireSchema {
  return { version: schema.version, block: blockToWire(schema.block) }
}

export const identitySchemaTable: MessageTable = {
  name: 'ResourceIdentitySchema',
  fields: [
    { number: 1, name: 'version', type: 'int64', presence: 'implicit' },
    {
      number: 2,
      name: 'attributes',
      repeated: true,
      presence: 'implicit',
      type: () => ({
        name: 'IdentityAttribute',
        fields: [
          text(1, 'name'),
          text(2, 'type'),
          flag(3, 'requiredForImport'),
          flag(4, 'optionalForImport'),
          text(5, 'description'),
        ],
      }),
    },
  ],
}

export function identitySchemaFromWire(wire: unknown): IdentitySchema {
  const { version, attributes } = wire as { version: number | bigint; attributes: WireIdentityAttribute[] }
  return {
    version: Number(version),
    attributes: attributes.map((attribute) => ({ ...attribute, type: typeFromJson(attribute.type) })),
  }
}

export function identitySchemaToWire({ version, attributes }: IdentitySchema): unknown {
  return { version, attributes: attributes.map((attribute) => ({ ...attribute, type: typeToJson(attribute.type) })) }
}

const parameterTable: MessageTable = {
  name: 'Function.Parameter',
  fields: [
    text(1, 'name'),
    text(2, 'type'),
    flag(3, 'allowNull'),
    flag(4, 'allowUnknown'),
    text(5, 'description'),
    kind(6),
  ],
}

export const functionTable: MessageTable = {
  name: 'Function',
  fields: [
    { number: 1, name: 'parameters', type: () => parameterTable, repeated: true, presence: 'implicit' },
    { number: 2, name: 'variadicParameter', type: () => parameterTable },
    { number: 3, name: 'return', type: () => ({ name: 'Function.Return', fields: [text(1, 'type')] }) },
    text(4, 'summary'),
    text(5, 'description'),
    kind(6),
    text(7, 'deprecationMessage'),
  ],
}

export function functionFromWire(wire: unknown): FunctionSchema {
  const { parameters, variadicParameter, return: result, ...rest } = wire as WireFunction
  return {
    summary: rest.summary,
    description: rest.description,
    descriptionKind: kindFromWire(rest.descriptionKind),
    deprecationMessage: rest.deprecationMessage,
    parameters: parameters.map(parameterFromWire),
    ...(variadicParameter !== undefined && { variadicParameter: parameterFromWire(variadicParameter) }),
    returnType: typeFromJson(result?.type ?? '"dynamic"'),
  }
}

export function functionToWire(schema: FunctionSchema): unknown {
  const { parameters, variadicParameter, returnType, descriptionKind, ...rest } = schema
  return {
    ...rest,
    descriptionKind: kindToWire(descriptionKind),
    parameters: parameters.map(parameterToWire),
    ...(variadicParameter !== undefined && { variadicParameter: parameterToWire(variadicParameter) }),
    return: { type: typeToJson(returnType) },
  }
}

export interface WireSchema {
  readonly version: number | bigint
  readonly block?: WireBlock
}

interface WireBlock extends WireDocumented {
  readonly attributes: readonly WireAttribute[]
  readonly blocks: readonly WireNestedBlock[]
}

interface WireDocumented {
  readonly description: string
  readonly descriptionKind: number
  readonly deprecated: boolean
  readonly deprecationMessage: string
}

interface WireAttribute extends WireDocumented {
  readonly name: string
  readonly type: string
  readonly nestedType?: { readonly attributes: readonly WireAttribute[]; readonly nesting: number }
  readonly required: boolean
  readonly optional: boolean
  readonly computed: boolean
  readonly sensitive: boolean
  readonly writeOnly: boolean
}

interface WireNestedBlock {
  readonly typeName: string
  readonly block?: WireBlock
  readonly nesting: number
  readonly minItems: number | bigint
  readonly maxItems: number | bigint
}

interface WireIdentityAttribute {
  readonly name: string
  readonly type: string
  readonly requiredForImport: boolean
  readonly optionalForImport: boolean
  readonly description: string
}

interface WireParameter {
  readonly name: string
  readonly type: string
  readonly allowNull: boolean
  readonly allowUnknown: boolean
  readonly description: string
  readonly descriptionKind: number
}

interface WireFunction {
  readonly parameters: readonly WireParameter[]
  readonly variadicParameter?: WireParameter
  readonly return?: { readonly type: string }
  readonly summary: string
  readonly description: string
  readonly descriptionKind: number
  readonly deprecationMessage: string
}

const schemas5 = makeSchemaTable(5)
const schemas6 = makeSchemaTable(6)
const nestings = [undefined, 'single', 'list', 'set', 'map', 'group'] as const
const emptyWireBlock: WireBlock = {
  attributes: [],
  blocks: [],
  description: '',
  descriptionKind: 0,
  deprecated: false,
  deprecationMessage: '',
}

function makeSchemaTable(version: ProtocolVersion): MessageTable {
  const attribute: MessageTable = {
    name: 'Schema.Attribute',
    fields: [
      text(1, 'name'),
      text(2, 'type'),
      text(3, 'description'),
      flag(4, 'required'),
      flag(5, 'optional'),
      flag(6, 'computed'),
      flag(7, 'sensitive'),
      kind(8),
      flag(9, 'deprecated'),
      ...(version === 5
        ? [flag(10, 'writeOnly'), text(11, 'deprecationMessage')]
        : [
            { number: 10, name: 'nestedType', type: () => nestedType },
            flag(11, 'writeOnly'),
            text(12, 'deprecationMessage'),
          ]),
    ],
  }
  const nestedType: MessageTable = {
    name: 'Schema.Object',
    fields: [
      { number: 1, name: 'attributes', type: () => attribute, repeated: true, presence: 'implicit' },
      { number: 3, name: 'nesting', type: 'enum', presence: 'implicit' },
    ],
  }
  const block: MessageTable = {
    name: 'Schema.Block',
    fields: [
      { number: 2, name: 'attributes', type: () => attribute, repeated: true, presence: 'implicit' },
      { number: 3, name: 'blocks', type: () => nestedBlock, repeated: true, presence: 'implicit' },
      text(4, 'description'),
      kind(5),
      flag(6, 'deprecated'),
      text(7, 'deprecationMessage'),
    ],
  }
  const nestedBlock: MessageTable = {
    name: 'Schema.NestedBlock',
    fields: [
      text(1, 'typeName'),
      { number: 2, name: 'block', type: () => block },
      { number: 3, name: 'nesting', type: 'enum', presence: 'implicit' },
      { number: 4, name: 'minItems', type: 'int64', presence: 'implicit' },
      { number: 5, name: 'maxItems', type: 'int64', presence: 'implicit' },
    ],
  }
  return {
    name: 'Schema',
    fields: [
      { number: 1, name: 'version', type: 'int64', presence: 'implicit' },
      { number: 2, name: 'block', type: () => block },
    ],
  }
}

function text(number: number, name: string): FieldTable {
  return { number, name, type: 'string', presence: 'implicit' }
}

function flag(number: number, name: string): FieldTable {
  return { number, name, type: 'bool', presence: 'implicit' }
}

function kind(number: number): FieldTable {
  return { number, name: 'descriptionKind', type: 'enum', presence: 'implicit' }
}

function kindFromWire(value: number): 'plain' | 'markdown' {
  return value === 1 ? 'markdown' : 'plain'
}

function kindToWire(value: 'plain' | 'markdown'): number {
  return value === 'markdown' ? 1 : 0
}

function blockFromWire(wire: WireBlock): Block {
  return {
    ...documentedFromWire(wire),
    attributes: wire.attributes.map(attributeFromWire),
    blocks: wire.blocks.map(nestedBlockFromWire),
  }
}

function blockToWire(block: Block): WireBlock {
  return {
    ...documentedToWire(block),
    attributes: block.attributes.map(attributeToWire),
    blocks: block.blocks.map(nestedBlockToWire),
  }
}

function documentedFromWire({ description, descriptionKind, deprecated, deprecationMessage }: WireDocumented) {
  return { description, descriptionKind: kindFromWire(descriptionKind), deprecated, deprecationMessage }
}

function documentedToWire({ description, descriptionKind, deprecated, deprecationMessage }: Block | Attribute) {
  return { description, descriptionKind: kindToWire(descriptionKind), deprecated, deprecationMessage }
}

function attributeFromWire(wire: WireAttribute): Attribute {
  const { name, required, optional, computed, sensitive, writeOnly } = wire
  return {
    name,
    shape: shapeFromWire(wire),
    required,
    optional,
    computed,
    sensitive,
    writeOnly,
    ...documentedFromWire(wire),
  }
}

function shapeFromWire({ name, type, nestedType }: WireAttribute): AttributeShape {
  if (nestedType === undefined) return { kind: 'plain', type: sharedType(type) }
  const nesting = nestingFromWire(nestedType.nesting, name)
  if (nesting === 'group') throw new Error(`the schema of ${name} nests attributes as a group, which only blocks do`)
  return { kind: 'nested', nesting, attributes: nestedType.attributes.map(attributeFromWire) }
}

function attributeToWire(attribute: Attribute): WireAttribute {
  const { name, shape, required, optional, computed, sensitive, writeOnly } = attribute
  return {
    name,
    type: shape.kind === 'plain' ? typeToJson(shape.type) : '',
    ...(shape.kind === 'nested' && {
      nestedType: { attributes: shape.attributes.map(attributeToWire), nesting: nestings.indexOf(shape.nesting) },
    }),
    ...{ required, optional, computed, sensitive, writeOnly },
    ...documentedToWire(attribute),
  }
}

function nestedBlockFromWire({ typeName, block, nesting, minItems, maxItems }: WireNestedBlock): NestedBlock {
  return {
    name: typeName,
    nesting: nestingFromWire(nesting, typeName),
    block: blockFromWire(block ?? emptyWireBlock),
    minItems: Number(minItems),
    maxItems: Number(maxItems),
  }
}

function nestedBlockToWire({ name, nesting, block, minItems, maxItems }: NestedBlock): WireNestedBlock {
  return { typeName: name, block: blockToWire(block), nesting: nestings.indexOf(nesting), minItems, maxItems }
}

function nestingFromWire(value: number, name: string): Nesting {
  const nesting = nestings[value]
  if (nesting === undefined) throw new Error(`the schema of ${name} has an unknown nesting mode: ${value}`)
  return nesting
}

function parameterFromWire({ type, descriptionKind, ...rest }: WireParameter): FunctionParameter {
  return { ...rest, type: typeFromJson(type), descriptionKind: kindFromWire(descriptionKind) }
}

function parameterToWire({ type, descriptionKind, ...rest }: FunctionParameter): WireParameter {
  return { ...rest, type: typeToJson(type), descriptionKind: kindToWire(descriptionKind) }
}

// A large provider has a hundred thousand attributes but only a few hundred different types, which are shared.
const sharedTypes = new Map<string, Type>()

function sharedType(json: string): Type {
  const known = sharedTypes.get(json)
  if (known !== undefined) return known
  const type = typeFromJson(json)
  if (sharedTypes.size < 10_000 && json.length < 1000) sharedTypes.set(json, type)
  return type
}
