import { type Message, messageCodec } from './codec.ts'
import type { FieldTable, MessageTable } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'
import { WireWriter } from './wire-writer.ts'

/**
 * The envelope around every Kubernetes object in protobuf: the four bytes `k8s\0`, then a runtime.Unknown message with the
 * object's apiVersion, its kind and its encoded bytes.
 */
export interface KubernetesEnvelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Uint8Array
}

/** Checks for the magic bytes `k8s\0`. */
export function isKubernetesEnvelope(bytes: Uint8Array): boolean {
  return magic.every((byte, index) => bytes[index] === byte)
}

/** Decodes the envelope. `raw` is the encoded message of the kind; throws ProtobufError without the magic bytes. */
export function decodeKubernetesEnvelope(bytes: Uint8Array): KubernetesEnvelope {
  if (!isKubernetesEnvelope(bytes))
    throw new ProtobufError('the body does not start with the Kubernetes protobuf prefix')
  const unknown = unknownCodec.decode(bytes.subarray(magic.length))
  if (unknown.contentEncoding !== '') {
    throw new ProtobufError(`content encoding ${JSON.stringify(unknown.contentEncoding)} is not supported`)
  }
  const typeMeta = unknown.typeMeta as Message
  return {
    apiVersion: typeMeta.apiVersion as string,
    kind: typeMeta.kind as string,
    raw: (unknown.raw as Uint8Array | undefined) ?? new Uint8Array(0),
  }
}

/** Wraps an encoded message in its envelope. */
export function encodeKubernetesEnvelope(envelope: KubernetesEnvelope): Uint8Array {
  const { apiVersion, kind, raw } = envelope
  const head = openKubernetesEnvelope({ apiVersion, kind, length: raw.length })
  const bytes = new Uint8Array(head.length + raw.length + envelopeTail.length)
  bytes.set(head)
  bytes.set(raw, head.length)
  bytes.set(envelopeTail, head.length + raw.length)
  return bytes
}

/** Returns the bytes before a message of this length, so that a large list can be streamed after them. */
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

/** Returns the bytes after the message. */
export function closeKubernetesEnvelope(): Uint8Array {
  return envelopeTail
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

// Fields 3 and 4, contentEncoding and contentType, both empty.
const envelopeTail = Uint8Array.of(0x1a, 0, 0x22, 0)

const unknownCodec = messageCodec({
  name: 'Unknown',
  fields: [
    typeMetaField,
    { number: rawField, name: 'raw', type: 'bytes' },
    { number: 3, name: 'contentEncoding', type: 'string', presence: 'go-always' },
    { number: 4, name: 'contentType', type: 'string', presence: 'go-always' },
  ],
})
