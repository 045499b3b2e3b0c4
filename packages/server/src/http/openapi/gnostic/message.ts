import { WireWriter } from '@hykube/machinery/protobuf'

/**
 * Field table of a message of gnostic's protobuf form of OpenAPI, by JSON property. Values are encoded directly from
 * JSON.
 */
export interface GnosticMessage {
  /** By JSON property. Properties without a field are left out. */
  readonly fields: Readonly<Record<string, GnosticField>>
  /** Field for properties that begin with `x-`, as pairs of name and value. */
  readonly extensions?: number
  /** Field for all other properties, as pairs of name and value. */
  readonly named?: GnosticField
}

/** A field's number, type and relation to the JSON value. */
export interface GnosticField {
  readonly number: number
  readonly type: GnosticType
  /** True when each item of a JSON list becomes a field. A wrapper type takes the whole list instead. */
  readonly repeated?: boolean
}

export type GnosticType =
  | 'string'
  | 'bool'
  | 'int64'
  | 'double'
  /** Any value, as YAML text. */
  | 'any'
  /** A message. */
  | (() => GnosticMessage)
  /** A message with one of several fields, chosen by the value. Undefined writes nothing. */
  | { readonly choose: (value: unknown) => GnosticField | undefined }

/** Encodes a field with its value. */
export function encodeField(field: GnosticField, value: unknown): Uint8Array {
  const writer = new WireWriter()
  writeField(writer, field, value)
  return writer.finish().slice()
}

/** Encodes one name-value pair of a map field. */
export function encodeNamed(field: GnosticField, name: string, value: unknown): Uint8Array {
  const writer = new WireWriter()
  writeNamed(writer, field, name, value)
  return writer.finish().slice()
}

function writeField(writer: WireWriter, field: GnosticField, value: unknown): void {
  if (value === undefined) return
  if (field.repeated === true && Array.isArray(value))
    for (const item of value) writeValue(writer, field.number, field.type, item)
  else writeValue(writer, field.number, field.type, value)
}

function writeNamed(writer: WireWriter, { number, type }: GnosticField, name: string, value: unknown): void {
  writer.tag(number, lengthDelimited)
  const mark = writer.begin()
  writer.tag(1, lengthDelimited)
  writer.string(name)
  writeValue(writer, 2, type, value)
  writer.end(mark)
}

function writeValue(writer: WireWriter, number: number, type: GnosticType, value: unknown): void {
  if (typeof type === 'string') writeScalar[type](writer, number, value)
  else inMessage(writer, number, () => writeMessage(writer, type, value))
}

function inMessage(writer: WireWriter, number: number, write: () => void): void {
  writer.tag(number, lengthDelimited)
  const mark = writer.begin()
  write()
  writer.end(mark)
}

function writeMessage(writer: WireWriter, type: Exclude<GnosticType, string>, value: unknown): void {
  if (typeof type !== 'function') {
    const chosen = type.choose(value)
    if (chosen !== undefined) writeField(writer, chosen, value)
    return
  }
  const { fields, extensions, named } = type()
  for (const [name, part] of Object.entries(value as Record<string, unknown>)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field !== undefined) writeField(writer, field, part)
    else if (extensions !== undefined && name.startsWith('x-'))
      writeNamed(writer, { number: extensions, type: 'any' }, name, part)
    else if (named !== undefined) writeNamed(writer, named, name, part)
  }
}

const varint = 0
const fixed64 = 1
const lengthDelimited = 2

const writeScalar: Readonly<
  Record<Extract<GnosticType, string>, (writer: WireWriter, number: number, value: unknown) => void>
> = {
  string: (writer, number, value) => {
    writer.tag(number, lengthDelimited)
    writer.string(String(value))
  },
  bool: (writer, number, value) => {
    writer.tag(number, varint)
    writer.uint32(value === true ? 1 : 0)
  },
  int64: (writer, number, value) => {
    writer.tag(number, varint)
    writer.varint64(BigInt.asUintN(64, BigInt(Math.trunc(Number(value)))))
  },
  double: (writer, number, value) => {
    writer.tag(number, fixed64)
    writer.double(Number(value))
  },
  any: (writer, number, value) =>
    inMessage(writer, number, () => {
      writer.tag(2, lengthDelimited)
      writer.string(JSON.stringify(value))
    }),
}
