import {
  type FieldTable,
  type Message,
  type MessageCodec,
  type MessageTable,
  messageCodec,
} from '@hykube/machinery/protobuf'
import type { ProtocolVersion } from './schema-wire.ts'
import type { CallScope, WireKind } from './wire-kind.ts'

/** The fields of a message by their names, each with its number and kind. */
export type Fields = Readonly<Record<string, readonly [number: number, kind: WireKind]>>

/** A call as data: both sides, and both protocols, are made from it. */
export interface RpcDefinition {
  /** Its name in protocol 6, and in protocol 5 where that differs. */
  readonly name: string
  readonly name5?: string
  /** Which field of the request names what it is about. */
  readonly subject?: string
  readonly request: Fields
  readonly response: Fields
}

/** Reads and writes the messages of a call. */
export interface MessageConverter {
  encode(message: Readonly<Record<string, unknown>>, scope: CallScope): Uint8Array
  decode(bytes: Uint8Array, scope: CallScope): Record<string, unknown>
}

/** The path by which a call is made. */
export function rpcPath(rpc: RpcDefinition, version: ProtocolVersion): string {
  return `/tfplugin${version}.Provider/${version === 5 ? (rpc.name5 ?? rpc.name) : rpc.name}`
}

/** What a request is about. */
export function subjectOf(rpc: RpcDefinition, request: Readonly<Record<string, unknown>>): string {
  return rpc.subject === undefined ? '' : String(request[rpc.subject] ?? '')
}

/** The converter of a message, made once. */
export function converterOf(fields: Fields, version: ProtocolVersion): MessageConverter {
  const known = converters.get(fields)?.[version]
  if (known !== undefined) return known
  const codec = messageCodec(tableOf('message', fields, version))
  const made = makeConverter(codec, fields)
  converters.set(fields, { ...converters.get(fields), [version]: made })
  return made
}

/** A message within another one. */
export function nested(fields: Fields, repeated: boolean): WireKind {
  const to = (given: Message, scope: CallScope) =>
    convert(fields, given, (kind, part) => kind.toWire(part as never, scope))
  const from = (wire: Message, scope: CallScope) =>
    convert(fields, wire, (kind, part) => kind.fromWire(part as never, scope))
  return {
    type: (version) => () => tableOf('nested', fields, version),
    ...(repeated && { shape: { repeated: true, presence: 'implicit' as const } }),
    toWire: repeated
      ? (given: readonly Message[], scope: CallScope) => given.map((part) => to(part, itsScope(part, scope)))
      : (given: Message, scope: CallScope) => to(given, scope),
    fromWire: repeated
      ? (wire: readonly Message[], scope: CallScope) => wire.map((part) => from(part, itsScope(part, scope)))
      : (wire: Message, scope: CallScope) => from(wire, scope),
  }
}

const converters = new WeakMap<Fields, { readonly [V in ProtocolVersion]?: MessageConverter }>()

function makeConverter(codec: MessageCodec, fields: Fields): MessageConverter {
  return {
    encode: (message, scope) =>
      codec.encode(convert(fields, message, (kind, part) => kind.toWire(part as never, scope))),
    decode: (bytes, scope) => convert(fields, codec.decode(bytes), (kind, part) => kind.fromWire(part as never, scope)),
  }
}

function convert(
  fields: Fields,
  message: Readonly<Message>,
  part: (kind: WireKind, value: unknown) => unknown,
): Message {
  const converted: Message = {}
  for (const name in fields) {
    const value = message[name]
    if (value === undefined) continue
    const result = part(fields[name]![1], value)
    if (result !== undefined) converted[name] = result
  }
  return converted
}

// An imported object may be of another type than the one asked for.
function itsScope(part: Readonly<Message>, scope: CallScope): CallScope {
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
