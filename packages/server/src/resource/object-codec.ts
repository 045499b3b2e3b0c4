import type { JsonValue } from '@hykube/machinery/json'
import { parseJsonText, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject, ObjectMeta } from '@hykube/machinery/object'

/** An object as it will be stored: the JSON that goes on the wire, and where its resourceVersion goes. */
export interface EncodedObject {
  readonly bytes: Uint8Array
  readonly stamp: number
}

/** Encodes an object with apiVersion, kind and metadata first, leaving the place of the resourceVersion open. */
export function encodeObject(object: KubernetesObject): EncodedObject {
  const { apiVersion, kind, metadata, ...rest } = object
  const text = stringifyJson({ apiVersion, kind, metadata: orderedMetadata(metadata ?? {}), ...rest } as JsonValue)
  const bytes = Buffer.from(text, 'utf8')
  // The first mark is the right one: quotes inside of names before it are escaped. Offsets differ only beyond ASCII.
  const start = bytes.length === text.length ? text.indexOf(mark) : bytes.indexOf(mark)
  return { bytes, stamp: start + mark.length }
}

/** The bytes as the store keeps them once the revision is known. */
export function stampedBytes({ bytes, stamp }: EncodedObject, revision: number): Uint8Array {
  const digits = String(revision)
  const stamped = Buffer.allocUnsafeSlow(bytes.length + digits.length)
  stamped.set(bytes.subarray(0, stamp))
  stamped.write(digits, stamp, 'latin1')
  stamped.set(bytes.subarray(stamp), stamp + digits.length)
  return stamped
}

/** The object that bytes hold, its numbers with all their digits. They were checked when they were written. */
export function decodeObject(bytes: Uint8Array): KubernetesObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return (longNumber.test(text) ? parseJsonText(text).value : JSON.parse(text)) as KubernetesObject
}

// What a double may not hold: sixteen digits or more, or an exponent. Text that looks alike costs time and nothing else.
const longNumber = /[:,[]-?\d(?:[\d.]{15}|[\d.]*[eE])/

const mark = '"resourceVersion":"'

function orderedMetadata(metadata: ObjectMeta): object {
  const { name, generateName, namespace, uid, resourceVersion: _, ...rest } = metadata
  return { name, generateName, namespace, uid, resourceVersion: '', ...rest }
}
