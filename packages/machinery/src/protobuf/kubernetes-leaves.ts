// Codecs of the Kubernetes messages that are represented differently in JSON and in protobuf, such as Time and Quantity.

import { messageLeaf } from './codec.ts'
import { microTimeLeaf, timeLeaf } from './kubernetes-time.ts'
import type { LeafCodec, MessageTable, ScalarType } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'

/** Parses and writes the JSON inside of messages. The server passes one that keeps large numbers exact. */
export interface JsonText {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string
}

/** The codecs of messages whose JSON is not an object of their fields, by the last part of the message name. */
export function kubernetesLeaves(json: JsonText = JSON): ReadonlyMap<string, LeafCodec> {
  const leaves = [timeLeaf, microTimeLeaf, quantityLeaf, intOrStringLeaf, durationLeaf]
  return new Map([...leaves, ...['RawExtension', 'JSON', 'FieldsV1'].map((name) => jsonLeaf(name, json))].map(named))
}

/** The codecs of CRD schema fields that are a schema or a boolean, a list or strings. */
export function jsonSchemaLeaves(props: () => MessageTable): ReadonlyMap<string, LeafCodec> {
  return new Map([schemaOrArray(props), schemaOrBool(props), schemaOrStrings(props)].map(named))
}

/** A message whose only field (number 1) is a list; its JSON is the list itself. */
export function listLeaf(name: string, type: ScalarType): LeafCodec {
  const inner = messageLeaf(() => ({ name, fields: [{ number: 1, name: 'items', type, repeated: true }] }))
  return {
    name,
    zero: null,
    read: (reader, end) => inner.read(reader, end).items ?? null,
    write: (writer, value) => inner.write(writer, { items: value }),
  }
}

function named(leaf: LeafCodec): [string, LeafCodec] {
  return [leaf.name, leaf]
}

// A Quantity is a string on both sides; protobuf wraps it in a message.
const quantityLeaf: LeafCodec = (() => {
  const inner = messageLeaf(() => ({
    name: 'Quantity',
    fields: [{ number: 1, name: 'string', type: 'string', presence: 'go-always' }],
  }))
  return {
    name: 'Quantity',
    zero: '0',
    read: (reader, end) => inner.read(reader, end).string || '0',
    write: (writer, value) => inner.write(writer, { string: String(value ?? '0') }),
  }
})()

// Field `type` selects between intVal (0) and strVal (1).
const intOrStringLeaf: LeafCodec = (() => {
  const inner = messageLeaf(() => ({
    name: 'IntOrString',
    fields: [
      { number: 1, name: 'type', type: 'int64', presence: 'go-always' },
      { number: 2, name: 'intVal', type: 'int32', presence: 'go-always' },
      { number: 3, name: 'strVal', type: 'string', presence: 'go-always' },
    ],
  }))
  return {
    name: 'IntOrString',
    zero: 0,
    read: (reader, end) => {
      const message = inner.read(reader, end)
      return message.type === 1 ? message.strVal : message.intVal
    },
    write: (writer, value) =>
      inner.write(writer, typeof value === 'string' ? { type: 1, strVal: value } : { intVal: value ?? 0 }),
  }
})()

// JSON has a duration as Go prints it (`1h30m0s`), protobuf as nanoseconds. Computed in doubles: exact up to 104 days.
const durationLeaf: LeafCodec = (() => {
  const inner = messageLeaf(() => ({
    name: 'Duration',
    fields: [{ number: 1, name: 'duration', type: 'int64', presence: 'go-always' }],
  }))
  return {
    name: 'Duration',
    zero: '0s',
    read: (reader, end) => goDuration(Number(inner.read(reader, end).duration)),
    write: (writer, value) => inner.write(writer, { duration: nanosecondsOf(String(value)) }),
  }
})()

function goDuration(nanoseconds: number): string {
  const sign = nanoseconds < 0 ? '-' : ''
  const seconds = Math.abs(nanoseconds) / 1e9
  if (seconds === 0) return '0s'
  if (seconds < 1e-6) return `${sign}${seconds * 1e9}ns`
  if (seconds < 1e-3) return `${sign}${seconds * 1e6}µs`
  if (seconds < 1) return `${sign}${seconds * 1e3}ms`
  const hours = Math.trunc(seconds / 3600)
  const minutes = Math.trunc((seconds % 3600) / 60)
  const rest = `${Number((seconds % 60).toFixed(9))}s`
  return sign + (hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest)
}

const durationUnits: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 }

function nanosecondsOf(text: string): number {
  if (!/^-?(0|(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+)$/.test(text)) throw new ProtobufError(`not a duration: ${text}`)
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  const total = [...parts].reduce((sum, [, amount, unit]) => sum + Number(amount) * durationUnits[unit!]!, 0)
  return Math.round(text.startsWith('-') ? -total : total)
}

// RawExtension, JSON and FieldsV1 hold encoded JSON in protobuf, and the value itself in JSON.
function jsonLeaf(name: string, json: JsonText): LeafCodec {
  const inner = messageLeaf(() => ({ name, fields: [{ number: 1, name: 'raw', type: 'string' }] }))
  return {
    name,
    zero: null,
    read: (reader, end) => {
      const { raw } = inner.read(reader, end)
      return raw === undefined || raw === '' ? null : parseJson(name, raw as string, json)
    },
    write: (writer, value) => {
      if (value !== null && value !== undefined) inner.write(writer, { raw: json.stringify(value) })
    },
  }
}

function parseJson(name: string, text: string, json: JsonText): unknown {
  try {
    return json.parse(text)
  } catch (cause) {
    throw new ProtobufError(`the bytes of a ${name} are not JSON`, { cause })
  }
}

function schemaOrArray(props: () => MessageTable): LeafCodec {
  const name = 'JSONSchemaPropsOrArray'
  const inner = messageLeaf(() => ({
    name,
    fields: [
      { number: 1, name: 'schema', type: props },
      { number: 2, name: 'schemas', type: props, repeated: true },
    ],
  }))
  return {
    name,
    zero: null,
    read: (reader, end) => {
      const message = inner.read(reader, end)
      return message.schemas ?? message.schema ?? null
    },
    write: (writer, value) => inner.write(writer, Array.isArray(value) ? { schemas: value } : { schema: value }),
  }
}

function schemaOrBool(props: () => MessageTable): LeafCodec {
  const name = 'JSONSchemaPropsOrBool'
  const inner = messageLeaf(() => ({
    name,
    fields: [
      { number: 1, name: 'allows', type: 'bool', presence: 'go-always' },
      { number: 2, name: 'schema', type: props },
    ],
  }))
  return {
    name,
    zero: false,
    read: (reader, end) => {
      const message = inner.read(reader, end)
      return message.schema ?? message.allows
    },
    write: (writer, value) =>
      inner.write(writer, typeof value === 'boolean' ? { allows: value } : { allows: true, schema: value }),
  }
}

function schemaOrStrings(props: () => MessageTable): LeafCodec {
  const name = 'JSONSchemaPropsOrStringArray'
  const inner = messageLeaf(() => ({
    name,
    fields: [
      { number: 1, name: 'schema', type: props },
      { number: 2, name: 'property', type: 'string', repeated: true },
    ],
  }))
  return {
    name,
    zero: null,
    read: (reader, end) => {
      const message = inner.read(reader, end)
      return message.property ?? message.schema ?? null
    },
    write: (writer, value) => inner.write(writer, Array.isArray(value) ? { property: value } : { schema: value }),
  }
}
