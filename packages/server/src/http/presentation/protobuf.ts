import type { KubernetesObject } from '@hykube/machinery/object'
import { closeKubernetesEnvelope, openKubernetesEnvelope, WireWriter } from '@hykube/machinery/protobuf'
import { documentProtobuf, listMetaMessage } from '../../kinds/index.ts'

/** True when this kind has a protobuf form. */
export function hasProtobuf({ apiVersion = '', kind = '' }: KubernetesObject): boolean {
  return documentProtobuf(apiVersion, kind) !== undefined
}

/** Encodes a document of a built-in kind in protobuf. */
export function protobufBytes(document: KubernetesObject): Uint8Array {
  const { apiVersion = '', kind = '' } = document
  const codec = documentProtobuf(apiVersion, kind)
  if (codec === undefined)
    throw new Error(`cannot encode ${apiVersion} ${kind} in protobuf: the kind has no protobuf form`)
  return codec.encode(document)
}

/** Field numbers that all list kinds of Kubernetes share: metadata is 1, items is 2. */
const metadataField = 1
const itemsField = 2

/** Encodes items as repeated fields of a list; results can be concatenated. */
export function protobufItems(messages: readonly Uint8Array[]): Uint8Array {
  const writer = new WireWriter()
  for (const message of messages) {
    writer.tag(itemsField, 2)
    writer.byteString(message)
  }
  return writer.finish()
}

export interface ListHead {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: object
  /** Length of all encoded items. */
  readonly itemsLength: number
}

/** Encodes everything before the items. The envelope starts with the total length, so `itemsLength` must be known. */
export function openProtobufList({ apiVersion, kind, metadata, itemsLength }: ListHead): Uint8Array {
  const writer = new WireWriter()
  writer.tag(metadataField, 2)
  writer.byteString(listMetaMessage(metadata))
  const meta = writer.finish()
  const head = openKubernetesEnvelope({ apiVersion, kind, length: meta.length + itemsLength })
  return Buffer.concat([head, meta])
}

/** Encodes everything after the items. */
export function closeProtobufList(): Uint8Array {
  return closeKubernetesEnvelope()
}

/** Encodes a watch event as a length-prefixed frame with event type and object. */
export function protobufEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new WireWriter()
  writer.tag(1, 2)
  writer.string(type)
  writer.tag(2, 2)
  const mark = writer.begin()
  writer.tag(1, 2)
  writer.byteString(object)
  writer.end(mark)
  const event = writer.finish()
  const frame = Buffer.allocUnsafe(4 + event.length)
  frame.writeUInt32BE(event.length)
  frame.set(event, 4)
  return frame
}
