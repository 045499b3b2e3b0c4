import type { WireReader } from './wire-reader.ts'
import type { WireWriter } from './wire-writer.ts'

/** The description of a message that a codec is compiled from. Tables may be recursive, so fields refer to them lazily. */
export interface MessageTable {
  /** Used in errors only. */
  readonly name: string
  readonly fields: readonly FieldTable[]
}

/** One field of a message. The fields of a oneof are listed as plain fields, of which at most one is set. */
export interface FieldTable {
  /** The field number on the wire; 0 leaves the field out of the encoding. */
  readonly number: number
  /** The property name in the decoded object. */
  readonly name: string
  readonly type: FieldType
  /** The field is a list. Both the packed and the unpacked encoding are decoded. */
  readonly repeated?: boolean
  /** Encodes a list of numbers as one packed value. Default false. */
  readonly packed?: boolean
  /** The key type of a map; `type` is then its value type. A map decodes to an object. */
  readonly mapKey?: ScalarType
  /** Default `explicit`. */
  readonly presence?: Presence
  /** The properties of this message belong to the enclosing object. Only for messages. */
  readonly inline?: boolean
}

/** A scalar, a message with its own representation, or a nested message. */
export type FieldType = ScalarType | LeafCodec | (() => MessageTable)

/**
 * The protobuf scalars and two more: `base64`, bytes that are a base64 string in the decoded object, and `bytes-view`,
 * bytes that share memory with the encoded message, for callers that consume them immediately and keep no reference.
 * 64-bit integers decode to numbers up to 2^53 - 1 and to bigint beyond.
 */
export type ScalarType =
  | 'string'
  | 'bytes'
  | 'bytes-view'
  | 'base64'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'uint32'
  | 'uint64'
  | 'sint32'
  | 'sint64'
  | 'fixed32'
  | 'fixed64'
  | 'sfixed32'
  | 'sfixed64'
  | 'float'
  | 'double'
  | 'enum'

/**
 * How the presence of a field maps between the wire and the decoded object:
 * - `explicit`: encoded when the property is set; set when it was on the wire (proto2, messages, oneofs);
 * - `implicit`: encoded unless zero; always set, to zero when absent on the wire (proto3);
 * - `go-value`: always encoded; absent from the object when zero (a Go value with `omitempty`);
 * - `go-always`: always encoded; always set, absent lists and maps to null (a Go value without `omitempty`, a Go struct).
 */
export type Presence = 'explicit' | 'implicit' | 'go-value' | 'go-always'

/** A message with its own representation in decoded objects, such as a timestamp that decodes to a string. */
export interface LeafCodec {
  readonly name: string
  /** Reads the message up to the position `end`; bytes that it leaves unread are skipped. */
  readonly read: (reader: WireReader, end: number) => unknown
  /** Writes the message without its length. */
  readonly write: (writer: WireWriter, value: unknown) => void
  /** The value of an absent field that must be set. */
  readonly zero: unknown
}
