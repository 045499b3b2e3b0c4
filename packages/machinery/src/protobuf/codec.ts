import type { FieldTable, LeafCodec, MessageTable, ScalarType } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import { type ScalarCodec, scalarCodec } from './scalar-codec.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** A decoded message. */
export type Message = Record<string, unknown>

/** Decoding and encoding of one message. */
export interface MessageCodec {
  /** Throws ProtobufError when the bytes are not such a message. Fields that the table lacks are passed over. */
  readonly decode: (bytes: Uint8Array, options?: DecodeOptions) => Message
  /** Throws ProtobufError when a property can't be written. Fields go out in the order of their numbers. */
  readonly encode: (message: Readonly<Message>) => Uint8Array
}

export interface DecodeOptions {
  /** How deep messages may be nested. Default 128. */
  readonly maxDepth?: number
  /** How many messages the bytes may hold: two bytes can make an object of many. Default 1,000,000. */
  readonly maxMessages?: number
  /** How many entries all maps, and values all lists of scalars, may have together. Default 1,000,000. */
  readonly maxEntries?: number
}

/** The codec of a message. Compiled on first use, once for each table and the tables it refers to. */
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
      // Taken while in use: a getter of a message could ask for another encoding.
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

/** A message inside a leaf codec, which reads and writes its own kind of value. */
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
  /** Run on the empty object before reading: sets what is there even when the wire has nothing. */
  readonly initial: readonly ((target: Message) => void)[]
}

interface CompiledField {
  readonly number: number
  readonly name: string
  readonly wireType: number
  readonly read: (reader: WireReader, target: Message) => void
  /** Set for lists of numbers: reads them from one packed value. */
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
  // Registered before its fields are compiled, so that a message may hold itself.
  compiledTables.set(table, compiled)
  for (const field of table.fields) addField(compiled, field)
  compiled.inNumberOrder.sort((a, b) => a.number - b.number)
  return compiled
}

function addField(compiled: CompiledMessage, field: FieldTable): void {
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

/** Reads and writes one value of the field, its tag apart. */
interface ElementCodec {
  readonly wireType: number
  readonly read: (reader: WireReader) => unknown
  readonly write: (writer: WireWriter, value: unknown) => void
  readonly scalar: ScalarCodec | undefined
  /** The value when it must be there and is not; made anew each time. */
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
        // Go writes empty bytes only when they are there.
        if (field.type === 'bytes' || field.type === 'bytes-view' || field.type === 'base64') return
        value = element.scalar === undefined ? (element.zero() ?? null) : element.scalar.zero
      } else if (presence === 'implicit' && element.scalar?.isZero(value)) return
      writer.tag(number, wireType)
      writeElement(element, writer, value, name)
    },
  }
}

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

function listParts(field: FieldTable, element: ElementCodec): Parts {
  const { name, number } = field
  const packable = element.scalar !== undefined && element.wireType !== 2
  const list = (target: Message): unknown[] => {
    const existing = target[name]
    if (Array.isArray(existing)) return existing
    const made: unknown[] = []
    target[name] = made
    return made
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
      for (const property of Object.keys(map).sort(byCodePoint)) {
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

// A key may be any string, also the one name that assigning would not make a property of.
function setProperty(target: Message, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value
  else Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true })
}

function writeElement(element: ElementCodec, writer: WireWriter, value: unknown, name: string): void {
  try {
    element.write(writer, value)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw new ProtobufError(`${name}: ${error.message}`, { cause: error })
  }
}

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

// Go sorts map keys by their bytes, which is the order of code points and not that of UTF-16 units.
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return surrogateLast(x) - surrogateLast(y)
  }
  return a.length - b.length
}

function surrogateLast(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
