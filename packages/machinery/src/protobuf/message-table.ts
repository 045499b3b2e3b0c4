import type { WireReader } from './wire-reader.ts'
import type { WireWriter } from './wire-writer.ts'

/** A message as data: what a codec is compiled from. Tables may be recursive, so messages are named by a function. */
export interface MessageTable {
  /** Named in errors. */
  readonly name: string
  readonly fields: readonly FieldTable[]
}

/** One field of a message. Fields of a oneof are plain fields of which at most one is set. */
export interface FieldTable {
  readonly number: number
  /** The property of the decoded object. */
  readonly name: string
  readonly type: FieldType
  /** A list, read packed or not. */
  readonly repeated?: boolean
  /** Whether a list of numbers is written packed. Default false. */
  readonly packed?: boolean
  /** The type of the keys of a map; `type` is then that of its values. Decoded to an object. */
  readonly mapKey?: ScalarType
  /** Default `explicit`. */
  readonly presence?: Presence
  /** The properties of this message lie in the object around it. Only for messages. */
  readonly inline?: boolean
}

export type FieldType = ScalarType | LeafCodec | (() => MessageTable)

/**
 * The scalars of protobuf, and two more: `base64`, bytes that are a base64 string in the decoded object, and `bytes-view`,
 * bytes that are not copied out of what is decoded: for whoever reads them at once and keeps nothing of them. 64-bit
 * integers are numbers where a double holds them exactly, and bigint otherwise.
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
 * Whether a field is there:
 * - `explicit`: written when the property is set; set when it was on the wire (proto2, messages, oneofs);
 * - `implicit`: written unless zero; always set, to zero when it was not on the wire (proto3);
 * - `go-value`: always written; left out of the object when zero (a Go value with `omitempty`);
 * - `go-always`: always written; always set, absent lists and maps to null (a Go value without `omitempty`, a Go struct).
 */
export type Presence = 'explicit' | 'implicit' | 'go-value' | 'go-always'

/** A message with a form of its own in decoded objects, as a timestamp that is a string. */
export interface LeafCodec {
  readonly name: string
  /** Reads the message that ends at `end`. */
  readonly read: (reader: WireReader, end: number) => unknown
  /** Writes the message, without its length. */
  readonly write: (writer: WireWriter, value: unknown) => void
  /** What a field of this type is when it is absent and must be set. */
  readonly zero: unknown
}
