import type { FieldTable, FieldType, MessageTable } from '@hykube/machinery/protobuf'
import { type Type, type Value, valueFromJson, valueFromMsgpack, valueToMsgpack } from '../value/index.ts'
import type { DeferredReason, RawState } from './messages.ts'
import {
  diagnosticFromWire,
  diagnosticToWire,
  pathFromWire,
  pathToWire,
  type WireDiagnostic,
  type WirePath,
} from './provider-diagnostic.ts'
import type { SchemaTypes, ValueRole } from './schema-types.ts'
import {
  functionFromWire,
  functionTable,
  functionToWire,
  identitySchemaFromWire,
  identitySchemaTable,
  identitySchemaToWire,
  type ProtocolVersion,
  schemaFromWire,
  schemaTable,
  schemaToWire,
  type WireSchema,
} from './schema-wire.ts'

/** Context that the fields of a message need for their conversion. */
export interface CallScope {
  /** Type, data source, action or function that the call concerns; empty for the provider itself. */
  readonly subject: string
  /** Called only when a field contains values, so that schemas can be fetched before they are known. */
  readonly types: () => SchemaTypes
}

/** Returns a function that creates one shared scope per subject. */
export function scopesOf(types: SchemaTypes): (subject: string) => CallScope {
  const made = new Map<string, CallScope>()
  return (subject) => {
    const scope = made.get(subject) ?? { subject, types: () => types }
    made.set(subject, scope)
    return scope
  }
}

/** Conversion of one kind of field between the wire and the messages that callers see. Undefined means absent. */
export interface WireKind {
  readonly type: (version: ProtocolVersion) => FieldType
  readonly shape?: Pick<FieldTable, 'repeated' | 'mapKey' | 'presence'>
  readonly toWire: (value: never, scope: CallScope) => unknown
  readonly fromWire: (wire: never, scope: CallScope) => unknown
}

const same = { toWire: (value: unknown) => value, fromWire: (wire: unknown) => wire }

export const text: WireKind = { type: () => 'string', shape: { presence: 'implicit' }, ...same }
export const optionalText: WireKind = { type: () => 'string', ...same }
export const flag: WireKind = { type: () => 'bool', shape: { presence: 'implicit' }, ...same }
/** Bytes; empty when absent. */
export const bytes: WireKind = { type: () => 'bytes', shape: { presence: 'implicit' }, ...same }
export const optionalBytes: WireKind = { type: () => 'bytes', ...same }
export const integer: WireKind = {
  type: () => 'int64',
  shape: { presence: 'implicit' },
  toWire: same.toWire,
  fromWire: (wire: number | bigint) => Number(wire),
}

/** A value of the given role, named by the call's subject unless `name` is passed. */
export function value(role: ValueRole, name?: string): WireKind {
  const typeIn = (scope: CallScope) => scope.types().typeOf(role, name ?? scope.subject)
  return {
    type: () => () => dynamicValueTable,
    toWire: (given: Value, scope) => ({ msgpack: valueToMsgpack(given, typeIn(scope)) }),
    fromWire: (wire: WireDynamicValue, scope) => dynamicFromWire(wire, () => typeIn(scope)),
  }
}

export const identity: WireKind = {
  type: () => () => identityTable,
  toWire: (given: Value, scope) => ({
    data: { msgpack: valueToMsgpack(given, scope.types().typeOf('identity', scope.subject)) },
  }),
  fromWire: ({ data }: { data?: WireDynamicValue }, scope) =>
    dynamicFromWire(data, () => scope.types().typeOf('identity', scope.subject)),
}

export const functionArguments: WireKind = {
  type: () => () => dynamicValueTable,
  shape: { repeated: true, presence: 'implicit' },
  toWire: (given: readonly Value[], scope) =>
    given.map((argument, index) => ({ msgpack: valueToMsgpack(argument, parameterType(scope, index)) })),
  fromWire: (wire: readonly WireDynamicValue[], scope) =>
    wire.map((argument, index) => dynamicFromWire(argument, () => parameterType(scope, index)) ?? null),
}

export const functionResult: WireKind = {
  type: () => () => dynamicValueTable,
  toWire: (given: Value, scope) => ({
    msgpack: valueToMsgpack(given, scope.types().function(scope.subject).returnType),
  }),
  fromWire: (wire: WireDynamicValue, scope) =>
    dynamicFromWire(wire, () => scope.types().function(scope.subject).returnType),
}

export const functionFailure: WireKind = {
  type: () => () => ({
    name: 'FunctionError',
    fields: [
      { number: 1, name: 'text', type: 'string', presence: 'implicit' },
      { number: 2, name: 'functionArgument', type: 'int64' },
    ],
  }),
  ...same,
}

export const diagnostics: WireKind = {
  type: () => () => diagnosticTable,
  shape: { repeated: true, presence: 'implicit' },
  toWire: (given: readonly Parameters<typeof diagnosticToWire>[0][]) => given.map(diagnosticToWire),
  fromWire: (wire: readonly WireDiagnostic[]) => wire.map(diagnosticFromWire),
}

export const paths: WireKind = {
  type: () => () => pathTable,
  shape: { repeated: true, presence: 'implicit' },
  toWire: (given: readonly Parameters<typeof pathToWire>[0][]) => given.map(pathToWire),
  fromWire: (wire: readonly WirePath[]) => wire.map(pathFromWire),
}

export const deferred: WireKind = {
  type: () => () => ({ name: 'Deferred', fields: [{ number: 1, name: 'reason', type: 'enum', presence: 'implicit' }] }),
  toWire: (reason: DeferredReason) => ({ reason: deferredReasons.indexOf(reason) }),
  fromWire: ({ reason }: { reason: number }) => deferredReasons[reason] ?? 'unknown',
}

export const rawState: WireKind = {
  type: () => () => rawStateTable,
  toWire: (state: RawState) =>
    state.kind === 'json' ? { json: new TextEncoder().encode(state.json) } : { flatmap: state.flatmap },
  fromWire: ({ json, flatmap }: { json?: Uint8Array; flatmap?: Record<string, string> }): RawState =>
    flatmap === undefined || json !== undefined
      ? { kind: 'json', json: new TextDecoder().decode(json) }
      : { kind: 'flatmap', flatmap },
}

/** Milliseconds since 1970. */
export const timestamp: WireKind = {
  type: () => () => ({
    name: 'Timestamp',
    fields: [
      { number: 1, name: 'seconds', type: 'int64', presence: 'implicit' },
      { number: 2, name: 'nanos', type: 'int32', presence: 'implicit' },
    ],
  }),
  toWire: (at: number) => ({
    seconds: Math.floor(at / 1000),
    nanos: Math.round((at - Math.floor(at / 1000) * 1000) * 1e6),
  }),
  fromWire: ({ seconds, nanos }: { seconds: number | bigint; nanos: number }) => Number(seconds) * 1000 + nanos / 1e6,
}

export const clientCapabilities: WireKind = {
  type: () => () => flagsTable('ClientCapabilities', ['deferralAllowed', 'writeOnlyAttributesAllowed']),
  ...same,
}

/** Present even when the provider sends nothing. */
export const serverCapabilities: WireKind = {
  type: () => () => serverCapabilitiesTable,
  shape: { presence: 'go-always' },
  ...same,
}

/** A repeated message with a single name field, decoded to plain strings. */
export function names(field: 'name' | 'typeName'): WireKind {
  return {
    type: () => () => ({
      name: 'Metadata',
      fields: [{ number: 1, name: field, type: 'string', presence: 'implicit' }],
    }),
    shape: { repeated: true, presence: 'implicit' },
    toWire: (given: readonly string[]) => given.map((name) => ({ [field]: name })),
    fromWire: (wire: readonly Record<string, string>[]) => wire.map((message) => message[field]),
  }
}

export const schema: WireKind = {
  type: (version) => () => schemaTable(version),
  toWire: schemaToWire as WireKind['toWire'],
  fromWire: schemaFromWire as WireKind['fromWire'],
}

export const schemas: WireKind = mapOf((version) => schemaTable(version), schemaFromWire, schemaToWire)

export const actionSchemas: WireKind = mapOf(
  (version) => ({ name: 'ActionSchema', fields: [{ number: 1, name: 'schema', type: () => schemaTable(version) }] }),
  ({ schema: inner }: { schema?: WireSchema }) => schemaFromWire(inner ?? { version: 0 }),
  (given: Parameters<typeof schemaToWire>[0]) => ({ schema: schemaToWire(given) }),
)

export const identitySchemas: WireKind = mapOf(() => identitySchemaTable, identitySchemaFromWire, identitySchemaToWire)

export const functions: WireKind = mapOf(() => functionTable, functionFromWire, functionToWire)

function mapOf<W, T>(
  table: (version: ProtocolVersion) => MessageTable,
  from: (wire: W) => T,
  to: (given: T) => unknown,
): WireKind {
  return {
    type: (version) => () => table(version),
    shape: { mapKey: 'string', presence: 'implicit' },
    toWire: (given: ReadonlyMap<string, T>) => Object.fromEntries([...given].map(([name, of]) => [name, to(of)])),
    fromWire: (wire: Readonly<Record<string, W>>) =>
      new Map(Object.entries(wire).map(([name, of]) => [name, from(of)])),
  }
}

interface WireDynamicValue {
  readonly msgpack?: Uint8Array
  readonly json?: Uint8Array
}

const deferredReasons: readonly DeferredReason[] = [
  'unknown',
  'resource-config-unknown',
  'provider-config-unknown',
  'absent-prerequisite',
]

// Providers may answer in msgpack or JSON; hosts always send msgpack.
function dynamicFromWire(wire: WireDynamicValue | undefined, type: () => Type): Value | undefined {
  if (wire?.msgpack !== undefined && wire.msgpack.length > 0) return valueFromMsgpack(wire.msgpack, type())
  if (wire?.json !== undefined && wire.json.length > 0)
    return valueFromJson(new TextDecoder().decode(wire.json), type())
  return undefined
}

function parameterType(scope: CallScope, index: number): Type {
  const { parameters, variadicParameter } = scope.types().function(scope.subject)
  const parameter = parameters[index] ?? variadicParameter
  if (parameter === undefined) throw new Error(`the function ${scope.subject} takes ${parameters.length} arguments`)
  return parameter.type
}

const dynamicValueTable: MessageTable = {
  name: 'DynamicValue',
  fields: [
    { number: 1, name: 'msgpack', type: 'bytes-view' },
    { number: 2, name: 'json', type: 'bytes-view' },
  ],
}

const identityTable: MessageTable = {
  name: 'ResourceIdentityData',
  fields: [{ number: 1, name: 'data', type: () => dynamicValueTable }],
}

const pathTable: MessageTable = {
  name: 'AttributePath',
  fields: [
    {
      number: 1,
      name: 'steps',
      repeated: true,
      presence: 'implicit',
      type: () => ({
        name: 'AttributePath.Step',
        fields: [
          { number: 1, name: 'attributeName', type: 'string' },
          { number: 2, name: 'elementKeyString', type: 'string' },
          { number: 3, name: 'elementKeyInt', type: 'int64' },
        ],
      }),
    },
  ],
}

const diagnosticTable: MessageTable = {
  name: 'Diagnostic',
  fields: [
    { number: 1, name: 'severity', type: 'enum', presence: 'implicit' },
    { number: 2, name: 'summary', type: 'string', presence: 'implicit' },
    { number: 3, name: 'detail', type: 'string', presence: 'implicit' },
    { number: 4, name: 'attribute', type: () => pathTable },
  ],
}

const rawStateTable: MessageTable = {
  name: 'RawState',
  fields: [
    { number: 1, name: 'json', type: 'bytes' },
    { number: 2, name: 'flatmap', type: 'string', mapKey: 'string' },
  ],
}

const serverCapabilitiesTable = flagsTable('ServerCapabilities', [
  'planDestroy',
  'getProviderSchemaOptional',
  'moveResourceState',
  'generateResourceConfig',
])

function flagsTable(name: string, flags: readonly string[]): MessageTable {
  return {
    name,
    fields: flags.map((flagName, index) => ({ number: index + 1, name: flagName, type: 'bool', presence: 'implicit' })),
  }
}
