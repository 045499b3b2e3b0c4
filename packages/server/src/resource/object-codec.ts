import type { JsonValue } from '@hykube/machinery/json'
import { parseJsonText, stringifyJson } from '@hykube/machinery/json'
import type { KubernetesObject, ObjectMeta } from '@hykube/machinery/object'

/** An object as stored: the JSON of responses, with the byte offset where storage inserts the resourceVersion. */
export interface EncodedObject {
  readonly bytes: Uint8Array
  readonly stamp: number
}

/** Encodes an object with apiVersion, kind and metadata first, and an empty resourceVersion. */
export function encodeObject(object: KubernetesObject): EncodedObject {
  const { apiVersion, kind, metadata, ...rest } = object
  const text = stringifyJson({ apiVersion, kind, metadata: orderedMetadata(metadata ?? {}), ...rest } as JsonValue)
  const bytes = Buffer.from(text, 'utf8')
  // The first occurrence is the right one, because quotes in preceding values are escaped. Text and byte offsets are
  // equal for ASCII.
  const start = bytes.length === text.length ? text.indexOf(stampPrefix) : bytes.indexOf(stampPrefix)
  return { bytes, stamp: start + stampPrefix.length }
}

/** Returns the stored bytes once the revision is known, as storage builds them. */
export function stampedBytes({ bytes, stamp }: EncodedObject, revision: number): Uint8Array {
  const digits = String(revision)
  const stamped = Buffer.allocUnsafeSlow(bytes.length + digits.length)
  stamped.set(bytes.subarray(0, stamp))
  stamped.write(digits, stamp, 'latin1')
  stamped.set(bytes.subarray(stamp), stamp + digits.length)
  return stamped
}

/** Decodes stored bytes, which were validated when written. Large numbers keep all digits. */
export function decodeObject(bytes: Uint8Array): KubernetesObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return (longNumber.test(text) ? parseJsonText(text).value : JSON.parse(text)) as KubernetesObject
}

// Matches numbers that a double may not represent exactly: sixteen or more digits, or an exponent. A match inside a
// string only costs the slower parser.
const longNumber = /[:,[]-?\d(?:[\d.]{15}|[\d.]*[eE])/

const stampPrefix = '"resourceVersion":"'

function orderedMetadata(metadata: ObjectMeta): object {
  const { name, generateName, namespace, uid, resourceVersion: _, ...rest } = metadata
  return { name, generateName, namespace, uid, resourceVersion: '', ...rest }
}
