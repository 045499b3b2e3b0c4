// Compiles message tables into closures that read and write the protobuf wire format.

import { compareUtf8 } from '../base/index.ts'
import type { FieldTable, LeafCodec, MessageTable, ScalarType } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import { type ScalarCodec, scalarCodec } from './scalar-codec.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** A decoded message: a plain object with a property for each field. */
export type Message = Record<string, unknown>

/** Decodes and encodes one message type. */
export interface MessageCodec {
  /** Throws ProtobufError when the bytes are not a message of this type. Fields that the table lacks are skipped. */
  readonly decode: (bytes: Uint8Array, options?: DecodeOptions) => Message
  /** Throws ProtobufError when a property does not fit its field. Fields are written in the order of their numbers. */
  readonly encode: (message: Readonly<Message>) => Uint8Array
}

/** Limits that protect the decoder against hostile input. */
export interface DecodeOptions {
  /** The deepest nesting of messages. Default 128. */
  readonly maxDepth?: number
  /**
   * The most messages in total. An empty message takes two bytes on the wire and a whole object in memory. Default
   * 1,000,000.
   */
  readonly maxMessages?: number
  /** The most entries of all maps and of all lists of scalars together. Default 1,000,000. */
  readonly maxEntries?: number
}

/** Returns the codec of a message. A table is compiled once; the tables it refers to are compiled on first use. */
export function messageCodec(table: MessageTable): MessageCodec {
  const compiled = compile(table)
  return {
    decode: (bytes, options) => {
      const reader = new WireReader(bytes, options?.maxDepth ?? 128, options?.maxMessages ?? 1_000_000)
      reader.entries = options?.maxEntries ?? 1_000_000
      const target: Message = {}
      readMessage(compiled, reader, reader.end, target)
      return target
    },
    encode: (message) => {
      // One writer is reused between calls, to save growing its buffer each time. It is taken out of the variable while in
      // use, because a getter of the message may start another encoding.
      const writer = spareWriter ?? new WireWriter()
      spareWriter = undefined
      try {
        writeMessage(compiled, writer, message)
        return writer.finish().slice()
      } finally {
        writer.reset()
        spareWriter = writer
      }
    },
  }
}

let spareWriter: WireWriter | undefined

/** Returns the reader and writer of a message, for leaf codecs that convert it to another representation. */
export function messageLeaf(table: () => MessageTable): {
  read: (reader: WireReader, end: number) => Message
  write: (writer: WireWriter, value: Readonly<Message>) => void
} {
  let compiled: CompiledMessage | undefined
  const once = (): CompiledMessage => {
    compiled ??= compile(table())
    return compiled
  }
  return {
    read: (reader, end) => {
      const target: Message = {}
      readMessage(once(), reader, end, target)
      return target
    },
    write: (writer, value) => writeMessage(once(), writer, value),
  }
}

interface CompiledMessage {
  readonly name: string
  readonly byNumber: (CompiledField | undefined)[]
  readonly inNumberOrder: readonly CompiledField[]
  /** Run on the empty object before reading: sets the fields that are present even when absent on the wire. */
  readonly initial: readonly ((target: Message) => void)[]
}

interface CompiledField {
  readonly number: number
  readonly name: string
  readonly wireType: number
  readonly read: (reader: WireReader, target: Message) => void
  /** Set for lists of numbers: reads them from one packed value. Decoders must accept both encodings of a list. */
  readonly readPacked?: (reader: WireReader, target: Message) => void
  readonly write: (writer: WireWriter, message: Readonly<Message>) => void
}

const compiledTables = new WeakMap<MessageTable, CompiledMessage>()

function compile(table: MessageTable): CompiledMessage {
  const known = compiledTables.get(table)
  if (known !== undefined) return known
  const compiled = {
    name: table.name,
    byNumber: [] as (CompiledField | undefined)[],
    inNumberOrder: [] as CompiledField[],
    initial: [] as ((target: Message) => void)[],
  }
  // Registered before its fields are compiled, so that a recursive message finds itself.
  compiledTables.set(table, compiled)
  for (const field of table.fields) addField(compiled, field)
  compiled.inNumberOrder.sort((a, b) => a.number - b.number)
  return compiled
}

function addField(compiled: CompiledMessage, field: FieldTable): void {
  // Number 0 marks a field that exists in JSON only.
  if (field.number === 0) return
  const part = compileField(field)
  ;(compiled.inNumberOrder as CompiledField[]).push(part)
  compiled.byNumber[field.number] = part
  addPresence(compiled, field)
}

function compileField(field: FieldTable): CompiledField {
  const { number, name } = field
  const element = elementCodec(field)
  if (field.mapKey !== undefined) return { number, name, wireType: 2, ...mapParts(field, field.mapKey, element) }
  if (field.repeated === true) return { number, name, ...listParts(field, element) }
  if (field.inline === true) return { number, name, wireType: 2, ...inlineParts(field) }
  return { number, name, ...singleParts(field, element) }
}

/** Reads and writes one value of a field, without its tag. */
interface ElementCodec {
  readonly wireType: number
  readonly read: (reader: WireReader) => unknown
  readonly write: (writer: WireWriter, value: unknown) => void
  readonly scalar: ScalarCodec | undefined
  /** Returns the value of a field that must be present but is absent on the wire; a new object each time. */
  readonly zero: () => unknown
}

function elementCodec(field: FieldTable): ElementCodec {
  const { type } = field
  if (typeof type === 'string') {
    const scalar = scalarCodec(type)
    return { wireType: scalar.wireType, read: scalar.read, write: scalar.write, scalar, zero: () => scalar.zero }
  }
  return typeof type === 'function' ? nestedElement(type) : leafElement(type)
}

// The nested table is compiled on first use, because tables may be recursive.
function nestedElement(table: () => MessageTable): ElementCodec {
  let compiled: CompiledMessage | undefined
  const nested = (): CompiledMessage => {
    compiled ??= compile(table())
    return compiled
  }
  return {
    wireType: 2,
    scalar: undefined,
    zero: () => {
      const target: Message = {}
      for (const set of nested().initial) set(target)
      return target
    },
    read: (reader) => {
      const target: Message = {}
      readMessage(nested(), reader, reader.lengthDelimited(), target)
      return target
    },
    write: (writer, value) => {
      if (typeof value !== 'object') throw new ProtobufError(`an object is needed, not ${typeof value}`)
      const mark = writer.begin()
      writeMessage(nested(), writer, (value ?? {}) as Message)
      writer.end(mark)
    },
  }
}

// Bounds the reader to the leaf's bytes, and skips the bytes that the leaf leaves unread.
function leafElement(leaf: LeafCodec): ElementCodec {
  return {
    wireType: 2,
    scalar: undefined,
    zero: () => leaf.zero,
    read: (reader) => {
      countMessage(reader)
      const outer = reader.end
      const end = reader.lengthDelimited()
      reader.end = end
      const value = leaf.read(reader, end)
      reader.end = outer
      reader.position = end
      return value
    },
    write: (writer, value) => {
      const mark = writer.begin()
      leaf.write(writer, value)
      writer.end(mark)
    },
  }
}

type Parts = Omit<CompiledField, 'number' | 'name'>

// For go-value and go-always an absent property is encoded as its zero value, as gogo-protobuf does for Go values.
function singleParts(field: FieldTable, element: ElementCodec): Parts {
  const { name, number } = field
  const { presence = 'explicit' } = field
  const { wireType } = element
  return {
    wireType,
    read:
      presence === 'go-value'
        ? (reader, target) => {
            const value = element.read(reader)
            if (value !== null && !element.scalar?.isZero(value)) target[name] = value
          }
        : (reader, target) => {
            target[name] = element.read(reader)
          },
    write: (writer, message) => {
      let value = message[name]
      if (value === undefined || value === null) {
        if (presence === 'explicit' || presence === 'implicit') return
        // gogo-protobuf omits nil byte slices, unlike empty strings.
        if (field.type === 'bytes' || field.type === 'bytes-view' || field.type === 'base64') return
        value = element.scalar === undefined ? (element.zero() ?? null) : element.scalar.zero
      } else if (presence === 'implicit' && element.scalar?.isZero(value)) return
      writer.tag(number, wireType)
      writeElement(element, writer, value, name)
    },
  }
}

// An inline message is a message on the wire, but its properties belong to the enclosing object.
function inlineParts(field: FieldTable): Omit<Parts, 'wireType'> {
  const table = field.type as () => MessageTable
  const nested = nestedElement(table)
  return {
    read: (reader, target) => readMessage(compile(table()), reader, reader.lengthDelimited(), target),
    write: (writer, message) => {
      writer.tag(field.number, 2)
      nested.write(writer, message)
    },
  }
}

// Only numbers can be packed; strings, bytes and messages have wire type 2 themselves.
function listParts(field: FieldTable, element: ElementCodec): Parts {
  const { name, number } = field
  const packable = element.scalar !== undefined && element.wireType !== 2
  const list = (target: Message): unknown[] => {
    const existing = target[name]
    if (Array.isArray(existing)) return existing
    const created: unknown[] = []
    target[name] = created
    return created
  }
  return {
    wireType: element.wireType,
    read: (reader, target) => {
      // A message in a list counts as a message.
      if (element.scalar !== undefined) countEntry(reader)
      list(target).push(element.read(reader))
    },
    ...(packable && {
      readPacked: (reader: WireReader, target: Message) => {
        const end = reader.lengthDelimited()
        const outer = reader.end
        reader.end = end
        const values = list(target)
        while (reader.position < end) {
          countEntry(reader)
          values.push(element.read(reader))
        }
        reader.end = outer
      },
    }),
    write: (writer, message) => {
      const values = message[name]
      if (values === undefined || values === null) return
      if (!Array.isArray(values)) throw new ProtobufError(`${name} must be a list`)
      if (packable && field.packed === true) writePacked(writer, number, element, values)
      else {
        for (const value of values) {
          writer.tag(number, element.wireType)
          writeElement(element, writer, value, name)
        }
      }
    },
  }
}

function writePacked(writer: WireWriter, number: number, element: ElementCodec, values: readonly unknown[]): void {
  if (values.length === 0) return
  writer.tag(number, 2)
  const mark = writer.begin()
  for (const value of values) element.write(writer, value)
  writer.end(mark)
}

// A map is a repeated message with the key as field 1 and the value as field 2. Keys are sorted, so that equal objects
// encode to equal bytes.
function mapParts(field: FieldTable, mapKey: ScalarType, element: ElementCodec): Omit<Parts, 'wireType'> {
  const { name, number } = field
  const key = scalarCodec(mapKey)
  return {
    read: (reader, target) => {
      let map = target[name] as Message | undefined | null
      if (map === undefined || map === null) {
        map = {}
        target[name] = map
      }
      readMapEntry(reader, key, element, map)
    },
    write: (writer, message) => {
      const map = message[name]
      if (map === undefined || map === null) return
      if (typeof map !== 'object') throw new ProtobufError(`${name} must be an object`)
      for (const property of Object.keys(map).sort(compareUtf8)) {
        writer.tag(number, 2)
        const mark = writer.begin()
        writer.tag(1, key.wireType)
        key.write(writer, mapKey === 'bool' ? property === 'true' : property)
        writer.tag(2, element.wireType)
        writeElement(element, writer, (map as Message)[property], name)
        writer.end(mark)
      }
    },
  }
}

function countMessage(reader: WireReader): void {
  if (reader.messages-- <= 0) throw new ProtobufError('there are too many messages')
}

function countEntry(reader: WireReader): void {
  if (--reader.entries < 0) throw new ProtobufError('maps and lists have too many entries')
}

function readMapEntry(reader: WireReader, key: ScalarCodec, element: ElementCodec, map: Message): void {
  countEntry(reader)
  const end = reader.lengthDelimited()
  const outer = reader.end
  reader.end = end
  let property = String(key.zero)
  let value: unknown
  let found = false
  while (reader.position < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1 && (tag & 7) === key.wireType) property = String(key.read(reader))
    else if (tag >>> 3 === 2 && (tag & 7) === element.wireType) {
      value = element.read(reader)
      found = true
    } else reader.skip(tag & 7, tag >>> 3)
  }
  reader.end = outer
  setProperty(map, property, found ? value : element.zero())
}

// A key may be `__proto__`, whose plain assignment would replace the prototype.
function setProperty(target: Message, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}

// Prepends the name of the field to errors, so that they carry the path to the value.
function writeElement(element: ElementCodec, writer: WireWriter, value: unknown, name: string): void {
  try {
    element.write(writer, value)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new ProtobufError(`${name}: ${error.message}`, { cause: error })
  }
}

// Registers the value that a field has when it is absent on the wire; see Presence.
function addPresence(compiled: CompiledMessage, field: FieldTable): void {
  const { name, presence = 'explicit' } = field
  const initial = compiled.initial as ((target: Message) => void)[]
  const isCollection = field.repeated === true || field.mapKey !== undefined
  if (field.inline === true) {
    const table = field.type as () => MessageTable
    initial.push((target) => {
      for (const set of compile(table()).initial) set(target)
    })
  } else if (presence === 'implicit') {
    const element = elementCodec(field)
    initial.push((target) => {
      if (isCollection) target[name] = field.repeated === true ? [] : {}
      else if (element.scalar !== undefined) target[name] = element.scalar.zero
    })
  } else if (presence === 'go-always') {
    const element = elementCodec(field)
    initial.push((target) => {
      target[name] = isCollection || field.type === 'base64' ? null : element.zero()
    })
  }
}

// Reads fields up to `end`. A field that occurs again replaces a single value, extends a list and adds to a map.
function readMessage(compiled: CompiledMessage, reader: WireReader, end: number, target: Message): void {
  if (reader.depth-- <= 0) throw new ProtobufError(`${compiled.name} is nested too deeply`)
  countMessage(reader)
  const outer = reader.end
  reader.end = end
  for (const set of compiled.initial) set(target)
  const { byNumber } = compiled
  while (reader.position < end) {
    const tag = reader.uint32()
    const field = byNumber[tag >>> 3]
    const wireType = tag & 7
    if (field === undefined) {
      if (tag >>> 3 === 0) throw new ProtobufError(`field number 0 in ${compiled.name}`)
      reader.skip(wireType, tag >>> 3)
    } else if (wireType === field.wireType) field.read(reader, target)
    else if (wireType === 2 && field.readPacked !== undefined) field.readPacked(reader, target)
    else throw new ProtobufError(`${compiled.name}.${field.name} has wire type ${wireType}, not ${field.wireType}`)
  }
  reader.end = outer
  reader.depth++
}

function writeMessage(compiled: CompiledMessage, writer: WireWriter, message: Readonly<Message>): void {
  for (const field of compiled.inNumberOrder) field.write(writer, message)
}
