import type { KubernetesObject } from '@hykube/machinery/object'
import { closeKubernetesEnvelope, openKubernetesEnvelope, WireWriter } from '@hykube/machinery/protobuf'
import { documentProtobuf, listMetaMessage } from '../../kinds/index.ts'

/** Whether a document of this kind can go out in protobuf. */
export function speaksProtobuf({ apiVersion = '', kind = '' }: KubernetesObject): boolean {
  return documentProtobuf(apiVersion, kind) !== undefined
}

/** A document of one of Kubernetes' own kinds in protobuf. */
export function protobufBytes(document: KubernetesObject): Uint8Array {
  const { apiVersion = '', kind = '' } = document
  const codec = documentProtobuf(apiVersion, kind)
  if (codec === undefined) throw new Error(`cannot write ${apiVersion} ${kind} in protobuf: it has no such form`)
  return codec.encode(document)
}

/** A list's items are its field 2, its metadata its field 1; so it is in every list of Kubernetes. */
const metadataField = 1
const itemsField = 2

/** Items of a list, as bytes that can stand one after the other. */
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
  /** The length of all items together. */
  readonly itemsLength: number
}

/** What comes before the items of a list: the envelope tells the length of everything, so that must be known. */
export function openProtobufList({ apiVersion, kind, metadata, itemsLength }: ListHead): Uint8Array {
  const writer = new WireWriter()
  writer.tag(metadataField, 2)
  writer.byteString(listMetaMessage(metadata))
  const meta = writer.finish()
  const head = openKubernetesEnvelope({ apiVersion, kind, length: meta.length + itemsLength })
  return Buffer.concat([head, meta])
}

/** What comes after the items. */
export function closeProtobufList(): Uint8Array {
  return closeKubernetesEnvelope()
}

/** One event of a watch: a frame that tells its length, around the kind of event and the object in its envelope. */
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
