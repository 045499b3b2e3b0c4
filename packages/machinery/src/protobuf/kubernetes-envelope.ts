import { type Message, messageCodec } from './codec.ts'
import type { MessageTable } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'

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
  const body = unknownCodec.encode({ typeMeta: { apiVersion, kind }, raw })
  const bytes = new Uint8Array(magic.length + body.length)
  bytes.set(magic)
  bytes.set(body, magic.length)
  return bytes
}

const magic = [0x6b, 0x38, 0x73, 0x00]

const typeMetaTable: MessageTable = {
  name: 'TypeMeta',
  fields: [
    { number: 1, name: 'apiVersion', type: 'string', presence: 'go-always' },
    { number: 2, name: 'kind', type: 'string', presence: 'go-always' },
  ],
}

const unknownCodec = messageCodec({
  name: 'Unknown',
  fields: [
    { number: 1, name: 'typeMeta', type: () => typeMetaTable, presence: 'go-always' },
    { number: 2, name: 'raw', type: 'bytes' },
    { number: 3, name: 'contentEncoding', type: 'string', presence: 'go-always' },
    { number: 4, name: 'contentType', type: 'string', presence: 'go-always' },
  ],
})
