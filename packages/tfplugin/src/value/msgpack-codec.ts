import { Decimal } from './decimal.ts'
import { readDecimal, writeDecimal } from './decimal-codec.ts'
import { typedOf } from './infer-type.ts'
import { MsgpackReader } from './msgpack-reader.ts'
import { MsgpackWriter } from './msgpack-writer.ts'
import { attributeStep, indexStep, keyStep } from './path.ts'
import { readUnknown, writeUnknown } from './refinement-codec.ts'
import { canonicalSet } from './set-order.ts'
import { namesInOrder } from './text-order.ts'
import type { Type } from './type.ts'
import { typeFromJson, typeToJson } from './type-json.ts'
import { isUnknown } from './unknown.ts'
import { emptyObject, isObject, Typed, type Value, type ValueObject } from './value.ts'
import { errorWithin, ValueError } from './value-error.ts'

/** Encodes a value of a type as msgpack. Throws ValueError when the value does not match the type. */
export function valueToMsgpack(value: Value, type: Type): Uint8Array {
  // The shared writer is taken out while in use, because a getter of the value could encode another value.
  const writer = spareWriter ?? new MsgpackWriter()
  spareWriter = undefined
  try {
    codecOf(type).write(writer, value)
    return writer.take()
  } finally {
    writer.reset()
    spareWriter = writer
  }
}

/** Decodes a value of a type. Throws ValueError when the bytes do not match. */
export function valueFromMsgpack(bytes: Uint8Array, type: Type): Value {
  return codecOf(type).read(new MsgpackReader(bytes), 0)
}

let spareWriter: MsgpackWriter | undefined

/** Encoder and decoder of one type. `depth` counts the enclosing dynamic values: only those can nest without bound. */
interface TypeCodec {
  readonly write: (writer: MsgpackWriter, value: Value) => void
  readonly read: (reader: MsgpackReader, depth: number) => Value
}

// Codecs are compiled once per type object; schemas keep their type objects.
const codecs = new WeakMap<Type, TypeCodec>()
const maxDynamicDepth = 64

function codecOf(type: Type): TypeCodec {
  const known = codecs.get(type)
  if (known !== undefined) return known
  const made = type.kind === 'dynamic' ? dynamicCodec : nullable(type, codecOfPresent(type))
  codecs.set(type, made)
  return made
}

function nullable(type: Type, present: TypeCodec): TypeCodec {
  return {
    write: (writer, value) => {
      if (value === null) writer.nil()
      else if (isUnknown(value)) writeUnknown(writer, value, type)
      else present.write(writer, value)
    },
    read: (reader, depth) => {
      if (reader.isPresent) return present.read(reader, depth)
      return reader.nil() ? null : readUnknown(reader, type)
    },
  }
}

function codecOfPresent(type: Type): TypeCodec {
  switch (type.kind) {
    case 'string':
      return stringCodec
    case 'number':
      return numberCodec
    case 'bool':
      return boolCodec
    case 'list':
    case 'set':
      return listCodec(type.element, type.kind)
    case 'map':
      return mapCodec(type.element)
    case 'tuple':
      return tupleCodec(type.elements)
    case 'object':
      return objectCodec(type.attributes)
    case 'dynamic':
      return dynamicCodec
  }
}

const stringCodec: TypeCodec = {
  write: (writer, value) => {
    if (typeof value !== 'string') throw new ValueError('a string is required', [])
    writer.text(value)
  },
  read: (reader) => reader.text(),
}

const boolCodec: TypeCodec = {
  write: (writer, value) => {
    if (typeof value !== 'boolean') throw new ValueError('a bool is required', [])
    writer.bool(value)
  },
  read: (reader) => reader.bool(),
}

const numberCodec: TypeCodec = {
  write: (writer, value) => {
    if (!(value instanceof Decimal)) throw new ValueError('a number is required', [])
    writeDecimal(writer, value)
  },
  read: (reader) => readDecimal(reader),
}

function listCodec(element: Type, kind: 'list' | 'set'): TypeCodec {
  const { write, read } = codecOf(element)
  const required = `a ${kind} is required`
  return {
    write: (writer, value) => {
      if (!Array.isArray(value)) throw new ValueError(required, [])
      writer.arrayHeader(value.length)
      let i = 0
      try {
        for (; i < value.length; i++) write(writer, value[i] as Value)
      } catch (error) {
        throw errorWithin(error, indexStep(i))
      }
    },
    read: (reader, depth) => {
      const length = reader.arrayHeader(required)
      const values: Value[] = []
      try {
        for (let i = 0; i < length; i++) values.push(read(reader, depth))
      } catch (error) {
        throw errorWithin(error, indexStep(values.length))
      }
      return kind === 'set' ? canonicalSet(values, element) : values
    },
  }
}

function tupleCodec(elements: readonly Type[]): TypeCodec {
  const parts = elements.map(codecOf)
  const required = `a tuple of length ${elements.length} is required`
  return {
    write: (writer, value) => {
      if (!Array.isArray(value) || value.length !== parts.length) throw new ValueError(required, [])
      writer.arrayHeader(parts.length)
      parts.forEach((part, i) => {
        within(indexStep, i, () => part.write(writer, value[i] as Value))
      })
    },
    read: (reader, depth) => {
      if (reader.arrayHeader(required) !== parts.length) throw new ValueError(required, [])
      return parts.map((part, i) => within(indexStep, i, () => part.read(reader, depth)))
    },
  }
}

function mapCodec(element: Type): TypeCodec {
  const { write, read } = codecOf(element)
  return {
    write: (writer, value) => {
      if (!isObject(value)) throw new ValueError('a map is required', [])
      const keys = namesInOrder(value)
      writer.mapHeader(keys.length)
      let at = ''
      try {
        for (const key of keys) {
          at = key
          writer.text(key)
          write(writer, value[key]!)
        }
      } catch (error) {
        throw errorWithin(error, keyStep(at))
      }
    },
    read: (reader, depth) => {
      const length = reader.mapHeader('a map is required')
      const object = emptyObject()
      for (let i = 0; i < length; i++) {
        const key = reader.text('all keys must be strings')
        try {
          object[key] = read(reader, depth)
        } catch (error) {
          throw errorWithin(error, keyStep(key))
        }
      }
      return object
    },
  }
}

function objectCodec(attributes: ReadonlyMap<string, Type>): TypeCodec {
  const names = [...attributes.keys()]
  const parts = names.map((name) => ({ name, key: encodedKey(name), codec: codecOf(attributes.get(name)!) }))
  const byName = new Map(parts.map((part) => [part.name, part]))
  return {
    write: (writer, value) => {
      if (!isObject(value)) throw new ValueError('an object is required', [])
      writer.mapHeader(parts.length)
      let at = ''
      try {
        for (const { name, key, codec } of parts) {
          at = name
          const attribute = value[name]
          if (attribute === undefined) throw new ValueError('the attribute is missing', [])
          writer.raw(key)
          codec.write(writer, attribute)
        }
      } catch (error) {
        throw errorWithin(error, attributeStep(at))
      }
      rejectUnknownAttributes(value, parts.length, byName)
    },
    read: (reader, depth) => {
      const length = reader.mapHeader('an object is required')
      if (length !== parts.length)
        throw new ValueError(`an object with ${parts.length} attributes is required, not ${length}`, [])
      const object = emptyObject()
      let inOrder = true
      let at = ''
      try {
        for (let i = 0; i < length; i++) {
          let part = parts[i]!
          // Go writes attributes in this order; other encoders may not.
          if (!reader.takeBytes(part.key)) {
            inOrder = false
            at = reader.text('all keys must be strings')
            part = byName.get(at) ?? noSuchAttribute()
          }
          at = part.name
          object[at] = part.codec.read(reader, depth)
        }
      } catch (error) {
        throw errorWithin(error, attributeStep(at))
      }
      return inOrder || Object.keys(object).length === length ? object : rejectRepeated()
    },
  }
}

const dynamicCodec: TypeCodec = {
  write: (writer, value) => {
    if (value === null) writer.nil()
    else if (isUnknown(value)) writeUnknown(writer, value, { kind: 'dynamic' })
    else {
      const typed = typedOf(value)
      writer.arrayHeader(2)
      writer.binary(new TextEncoder().encode(typeToJson(typed.type)))
      codecOf(typed.type).write(writer, typed.value)
    }
  },
  read: (reader, depth) => {
    if (depth > maxDynamicDepth) throw new ValueError('dynamic values are nested too deeply', [])
    if (reader.isExtension) return readUnknown(reader, { kind: 'dynamic' })
    if (reader.nil()) return null
    const required = 'a dynamic value must be a pair of type and value'
    if (reader.arrayHeader(required) !== 2) throw new ValueError(required, [])
    const type = typeFromJson(reader.typeText(required))
    const value = codecOf(type).read(reader, depth + 1)
    return type.kind === 'dynamic' || value instanceof Typed ? value : new Typed(type, value)
  },
}

function encodedKey(name: string): Uint8Array {
  const writer = new MsgpackWriter()
  writer.string(name)
  return writer.take()
}

function rejectUnknownAttributes(value: ValueObject, count: number, known: ReadonlyMap<string, unknown>): void {
  const names = Object.keys(value)
  if (names.length === count) return
  const other = names.find((name) => !known.has(name))!
  throw new ValueError('there is no such attribute', [attributeStep(other)])
}

function noSuchAttribute(): never {
  throw new ValueError('there is no such attribute', [])
}

function rejectRepeated(): never {
  throw new ValueError('an attribute is repeated', [])
}

function within<K, T>(step: (at: K) => Parameters<typeof errorWithin>[1], at: K, body: () => T): T {
  try {
    return body()
  } catch (error) {
    throw errorWithin(error, step(at))
  }
}
