import { groupVersionFromText, type KubernetesObject } from '@hykube/machinery/object'
import {
  decodeKubernetesEnvelope,
  encodeKubernetesEnvelope,
  type Message,
  type MessageTable,
  messageCodec,
} from '@hykube/machinery/protobuf'
import type { ObjectCodec } from '@hykube/machinery/resource-type'
import { typeNameOf } from './kind-table.ts'
import { protobufListTable, protobufTable } from './protobuf-tables.ts'

/** Codec for objects of a type in Kubernetes' protobuf envelope; undefined for types without tables. */
export function objectProtobuf(typeName: string): ObjectCodec | undefined {
  return codecFor(protobufTable(typeName))
}

/** Encodes list metadata as a protobuf message. */
export function listMetaMessage(metadata: object): Uint8Array {
  return messageCodec(protobufTable(typeNameOf('meta.k8s.io', 'v1', 'ListMeta'))!).encode(metadata as Message)
}

/** Codec for lists of a type in the protobuf envelope. */
export function listProtobuf(itemTypeName: string): ObjectCodec | undefined {
  return codecFor(protobufListTable(itemTypeName))
}

/** Codec for built-in kinds and for the API's own documents, such as Status; undefined for others. */
export function documentProtobuf(apiVersion: string, kind: string): ObjectCodec | undefined {
  const { group, version } = groupVersionFromText(apiVersion) ?? { group: '', version: '' }
  // A Status has apiVersion v1 but is defined in meta.k8s.io.
  if (kind === 'Status' && apiVersion === 'v1') return objectProtobuf(typeNameOf('meta.k8s.io', 'v1', kind))
  return objectProtobuf(typeNameOf(group, kind === 'PartialObjectMetadata' ? 'v1' : version, kind))
}

function codecFor(table: MessageTable | undefined): ObjectCodec | undefined {
  if (table === undefined) return undefined
  const codec = messageCodec(table)
  return {
    encode: (object) => {
      const { apiVersion = '', kind = '' } = object
      return encodeKubernetesEnvelope({ apiVersion, kind, raw: codec.encode(object as Message) })
    },
    encodeItem: (object) => codec.encode(object as Message),
    decode: (bytes, maximum) => {
      const { apiVersion, kind, raw } = decodeKubernetesEnvelope(bytes)
      const message = codec.decode(
        raw,
        maximum === undefined ? undefined : { maxEntries: maximum, maxMessages: maximum },
      )
      return { apiVersion, kind, ...message } as KubernetesObject
    },
  }
}
