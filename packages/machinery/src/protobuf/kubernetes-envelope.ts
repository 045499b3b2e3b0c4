import { type Message, messageCodec } from './codec.ts'
import type { FieldTable, MessageTable } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import { WireWriter } from './wire-writer.ts'

/** What stands around every Kubernetes object in protobuf: four bytes of magic, then its kind and its bytes. */
export interface KubernetesEnvelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

/** Whether the bytes start as Kubernetes' protobuf does. */
export function isKubernetesEnvelope(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

/** Reads the envelope; the bytes inside are of the message of that kind. */
export function decodeKubernetesEnvelope(bytes: Uint8Array): KubernetesEnvelope {
  if (!isKubernetesEnvelope(bytes)) throw new ProtobufError('the body does not start as Kubernetes protobuf does')
  const unknown = unknownCodec.decode(bytes.subarray(magic.length))
  if (unknown.contentEncoding !== '') throw new ProtobufError('the object is encoded in a way that is not known')
  const typeMeta = unknown.typeMeta as Message
  return {
    apiVersion: typeMeta.apiVersion as string,
    kind: typeMeta.kind as string,
    raw: (unknown.raw as Uint8Array | undefined) ?? new Uint8Array(0),
  }
}

/** Writes the envelope around the bytes of a message. */
export function encodeKubernetesEnvelope(envelope: KubernetesEnvelope): Uint8Array {
  const { apiVersion, kind, raw } = envelope
  const head = openKubernetesEnvelope({ apiVersion, kind, length: raw.length })
  const bytes = new Uint8Array(head.length + raw.length + closeOfEnvelope.length)
  bytes.set(head)
  bytes.set(raw, head.length)
  bytes.set(closeOfEnvelope, head.length + raw.length)
  return bytes
}

/** What stands before the bytes of a message of this length, for a message that is written piece by piece. */
export function openKubernetesEnvelope(about: {
  readonly apiVersion: string
  readonly kind: string
  readonly length: number
}): Uint8Array {
  const writer = new WireWriter()
  writer.raw(Uint8Array.from(magic))
  writer.raw(unknownHead.encode({ typeMeta: { apiVersion: about.apiVersion, kind: about.kind } }))
  writer.tag(rawField, 2)
  writer.uint32(about.length)
  return writer.finish().slice()
}

/** What stands after the bytes of the message. */
export function closeKubernetesEnvelope(): Uint8Array {
  return closeOfEnvelope
}

const magic = [0x6b, 0x38, 0x73, 0x00]

const typeMetaTable: MessageTable = {
  name: 'TypeMeta',
  fields: [
    { number: 1, name: 'apiVersion', type: 'string', presence: 'go-always' },
    { number: 2, name: 'kind', type: 'string', presence: 'go-always' },
  ],
}

const rawField = 2

const typeMetaField: FieldTable = { number: 1, name: 'typeMeta', type: () => typeMetaTable, presence: 'go-always' }

const unknownHead = messageCodec({ name: 'Unknown', fields: [typeMetaField] })

// The content's encoding and type, both empty.
const closeOfEnvelope = Uint8Array.of(0x1a, 0, 0x22, 0)

const unknownCodec = messageCodec({
  name: 'Unknown',
  fields: [
    typeMetaField,
    { number: rawField, name: 'raw', type: 'bytes' },
    { number: 3, name: 'contentEncoding', type: 'string', presence: 'go-always' },
    { number: 4, name: 'contentType', type: 'string', presence: 'go-always' },
  ],
})
