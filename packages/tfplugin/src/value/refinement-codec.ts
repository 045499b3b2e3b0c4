import { readDecimal, writeDecimal } from './decimal-codec.ts'
import { MsgpackReader } from './msgpack-reader.ts'
import { MsgpackWriter } from './msgpack-writer.ts'
import type { Type } from './type.ts'
import { type NumberBound, type Refinement, Unknown, unknown } from './unknown.ts'
import { ValueError } from './value-error.ts'

/** Writes an unknown value: extension 0, or extension 12 with those refinements that apply to the type. */
export function writeUnknown(writer: MsgpackWriter, value: Unknown, type: Type): void {
  const body = value.refinement === undefined ? undefined : refinementToBytes(value.refinement, type)
  if (body === undefined) writer.raw(bareUnknown)
  else writer.extension(refinedExtension, body)
}

/** Reads an unknown value: every extension is one. Unknown refinements are ignored, as go-cty requires. */
export function readUnknown(reader: MsgpackReader, type: Type): Unknown {
  const { type: code, body } = reader.extension()
  if (body.length <= 1) return unknown
  if (code !== refinedExtension) throw new ValueError(`extension ${code} of ${body.length} bytes is not an unknown`, [])
  if (body.length > maxRefinementBytes) throw new ValueError('the refinement of an unknown value is too long', [])
  const refinement = type.kind === 'dynamic' ? {} : refinementFromBytes(body)
  return Object.keys(refinement).length === 0 ? unknown : new Unknown(refinement)
}

const bareUnknown = Uint8Array.of(0xd4, 0, 0)
const refinedExtension = 12
const maxRefinementBytes = 1024
const maxPrefixBytes = 256

// Keys of the refinement map, as go-cty defines them.
const nullness = 1
const stringPrefix = 2
const numberMinimum = 3
const numberMaximum = 4
const lengthMinimum = 5
const lengthMaximum = 6

function refinementToBytes(refinement: Refinement, type: Type): Uint8Array | undefined {
  const entries: ((writer: MsgpackWriter) => void)[] = []
  const entry = (key: number, write: (writer: MsgpackWriter) => void) =>
    entries.push((writer) => {
      writer.integer(key)
      write(writer)
    })
  if (type.kind !== 'dynamic' && refinement.notNull === true) entry(nullness, (writer) => writer.bool(false))
  const { prefix, minimum, maximum, minimumLength, maximumLength } = refinement
  if (type.kind === 'number') {
    if (minimum !== undefined) entry(numberMinimum, (writer) => writeBound(writer, minimum))
    if (maximum !== undefined) entry(numberMaximum, (writer) => writeBound(writer, maximum))
  } else if (type.kind === 'string') {
    if (prefix !== undefined && prefix !== '') entry(stringPrefix, (writer) => writer.string(shortened(prefix)))
  } else if (type.kind === 'list' || type.kind === 'set' || type.kind === 'map') {
    if (minimumLength !== undefined && minimumLength > 0)
      entry(lengthMinimum, (writer) => writer.integer(minimumLength))
    if (maximumLength !== undefined) entry(lengthMaximum, (writer) => writer.integer(maximumLength))
  }
  if (entries.length === 0) return undefined
  const writer = new MsgpackWriter()
  writer.mapHeader(entries.length)
  for (const write of entries) write(writer)
  return writer.take()
}

function refinementFromBytes(body: Uint8Array): Refinement {
  const reader = new MsgpackReader(body)
  const refinement: { -readonly [K in keyof Refinement]: Refinement[K] } = {}
  for (let left = reader.mapHeader('the refinement of an unknown value must be a map'); left > 0; left--) {
    switch (reader.number()) {
      case nullness:
        refinement.notNull = !reader.bool()
        break
      case stringPrefix:
        refinement.prefix = reader.string()
        break
      case numberMinimum:
        refinement.minimum = readBound(reader)
        break
      case numberMaximum:
        refinement.maximum = readBound(reader)
        break
      case lengthMinimum:
        refinement.minimumLength = readLength(reader)
        break
      case lengthMaximum:
        refinement.maximumLength = readLength(reader)
        break
      case undefined:
        throw new ValueError('the keys of a refinement must be numbers', [])
      default:
        reader.skip()
    }
  }
  return refinement
}

function writeBound(writer: MsgpackWriter, bound: NumberBound): void {
  writer.arrayHeader(2)
  writeDecimal(writer, bound.value)
  writer.bool(bound.inclusive)
}

function readBound(reader: MsgpackReader): NumberBound {
  const required = 'a bound must be a number and a bool'
  if (reader.arrayHeader(required) !== 2) throw new ValueError(required, [])
  const value = readDecimal(reader)
  return { value, inclusive: reader.bool() }
}

function readLength(reader: MsgpackReader): number {
  const length = reader.number()
  if (typeof length === 'number' && Number.isInteger(length)) return length
  throw new ValueError('a bound of a length must be an integer', [])
}

// go-cty rejects refinements above 1 KiB. A shorter prefix is still true.
function shortened(prefix: string): string {
  let cut = prefix
  while (new TextEncoder().encode(cut).length > maxPrefixBytes) cut = [...cut].slice(0, -1).join('')
  return cut
}
