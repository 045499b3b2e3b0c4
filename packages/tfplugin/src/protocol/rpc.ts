import {
  type DecodeOptions,
  type FieldTable,
  type Message,
  type MessageCodec,
  type MessageTable,
  messageCodec,
} from '@hykube/machinery/protobuf'
import type { ProtocolVersion } from './schema-wire.ts'
import type { CallScope, WireKind } from './wire-kind.ts'

/** Fields of a message by name, with number and wire kind. */
export type Fields = Readonly<Record<string, readonly [number: number, kind: WireKind]>>

/** Definition of a call as data. Client, server and both protocol versions are derived from it. */
export interface RpcDefinition {
  /** Name in protocol 6; `name5` is set when protocol 5 differs. */
  readonly name: string
  readonly name5?: string
  /** Request field that holds the call's subject, such as the resource type. */
  readonly subject?: string
  readonly request: Fields
  readonly response: Fields
}

/** Encodes and decodes the messages of a call. */
export interface MessageConverter {
  encode(message: Readonly<Message>, scope: CallScope): Uint8Array
  decode(bytes: Uint8Array, scope: CallScope, limits?: DecodeOptions): Message
  /** Decodes a message whose subject, which determines the types of its values, is one of its own fields. */
  decodeScoped(bytes: Uint8Array, scopeOf: (message: Readonly<Message>) => CallScope): ScopedMessage
}

export interface ScopedMessage {
  readonly message: Message
  readonly scope: CallScope
}

/** Returns the gRPC method path of a call. */
export function rpcPath(rpc: RpcDefinition, version: ProtocolVersion): string {
  return `/tfplugin${version}.Provider/${version === 5 ? (rpc.name5 ?? rpc.name) : rpc.name}`
}

/** Returns the subject of a request; empty when the call concerns the provider itself. */
export function subjectOf(rpc: RpcDefinition, request: Readonly<Message>): string {
  return rpc.subject === undefined ? '' : String(request[rpc.subject] ?? '')
}

/** Decodes a request. Its values can be decoded only after its subject was read from it. */
export function readRequest(
  rpc: RpcDefinition,
  version: ProtocolVersion,
  bytes: Uint8Array,
  scopeOf: (subject: string) => CallScope,
): ScopedMessage {
  return converterOf(rpc.request, version).decodeScoped(bytes, (request) => scopeOf(subjectOf(rpc, request)))
}

/** Returns the converter of a message, built once per version. */
export function converterOf(fields: Fields, version: ProtocolVersion): MessageConverter {
  const known = converters.get(fields)?.[version]
  if (known !== undefined) return known
  const made = makeConverter(messageCodec(tableOf('message', fields, version)), fields)
  converters.set(fields, { ...converters.get(fields), [version]: made })
  return made
}

/** Wire kind of a nested message. */
export function nested(fields: Fields, repeated: boolean): WireKind {
  const { to, from } = conversionsOf(fields)
  return {
    type: (version) => () => tableOf('nested', fields, version),
    ...(repeated && { shape: { repeated: true, presence: 'implicit' as const } }),
    toWire: repeated
      ? (given: readonly Message[], scope: CallScope) => given.map((part) => to(part, scopeOfPart(part, scope)))
      : (given: Message, scope: CallScope) => to(given, scope),
    fromWire: repeated
      ? (wire: readonly Message[], scope: CallScope) => wire.map((part) => from(part, scopeOfPart(part, scope)))
      : (wire: Message, scope: CallScope) => from(wire, scope),
  }
}

const converters = new WeakMap<Fields, { readonly [V in ProtocolVersion]?: MessageConverter }>()

function makeConverter(codec: MessageCodec, fields: Fields): MessageConverter {
  const { to, from } = conversionsOf(fields)
  return {
    encode: (message, scope) => codec.encode(to(message, scope)),
    decode: (bytes, scope, limits) => from(codec.decode(bytes, limits), scope),
    decodeScoped: (bytes, scopeOf) => {
      const wire = codec.decode(bytes)
      const scope = scopeOf(wire)
      return { message: from(wire, scope), scope }
    },
  }
}

type Conversion = (message: Readonly<Message>, scope: CallScope) => Message

function conversionsOf(fields: Fields): { readonly to: Conversion; readonly from: Conversion } {
  const parts = Object.entries(fields).map(([name, [, kind]]) => ({ name, kind }))
  return {
    to: (message, scope) => {
      const wire: Message = {}
      for (const { name, kind } of parts) set(wire, name, message[name], kind.toWire, scope)
      return wire
    },
    from: (wire, scope) => {
      const message: Message = {}
      for (const { name, kind } of parts) set(message, name, wire[name], kind.fromWire, scope)
      return message
    },
  }
}

function set(target: Message, name: string, value: unknown, convert: WireKind['toWire'], scope: CallScope): void {
  if (value === undefined) return
  const converted = convert(value as never, scope)
  if (converted !== undefined) target[name] = converted
}

// An imported object may have another type than the requested one.
function scopeOfPart(part: Readonly<Message>, scope: CallScope): CallScope {
  return typeof part.typeName === 'string' ? { ...scope, subject: part.typeName } : scope
}

function tableOf(name: string, fields: Fields, version: ProtocolVersion): MessageTable {
  return {
    name,
    fields: Object.entries(fields).map(
      ([field, [number, kind]]): FieldTable => ({ number, name: field, type: kind.type(version), ...kind.shape }),
    ),
  }
}
