import { WireWriter } from '@hykube/machinery/protobuf'

/**
 * A message of gnostic's protobuf form of OpenAPI, told by the JSON it stands for: which property goes into which field.
 * Values are written from the JSON form directly; there is no message in between.
 */
export interface GnosticMessage {
  /** By JSON property. Properties that no field takes are left out. */
  readonly fields: Readonly<Record<string, GnosticField>>
  /** The field for properties that begin with `x-`, as pairs of name and value. */
  readonly extensions?: number
  /** The field for all other properties, as pairs of name and value. */
  readonly named?: GnosticField
}

/** A field: its number, its type, and how the JSON value lies in it. */
export interface GnosticField {
  readonly number: number
  readonly type: GnosticType
  /** A JSON list is written item by item. A type that wraps lists takes the whole list instead. */
  readonly repeated?: boolean
}

export type GnosticType =
  | 'string'
  | 'bool'
  | 'int64'
  | 'double'
  /** Any value, as text that YAML can read. */
  | 'any'
  /** A message. */
  | (() => GnosticMessage)
  /** A message around one of several fields: the value says which. Undefined: nothing is written. */
  | { readonly choose: (value: unknown) => GnosticField | undefined }

/** One field of a message with its value, as bytes. */
export function encodeField(field: GnosticField, value: unknown): Uint8Array {
  const writer = new WireWriter()
  writeField(writer, field, value)
  return writer.finish().slice()
}

/** One pair of name and value in the field for such pairs, as bytes. */
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
