import type { KubernetesObject } from '@hykube/machinery/object'
import {
  decodeKubernetesEnvelope,
  encodeKubernetesEnvelope,
  type Message,
  type MessageTable,
  messageCodec,
} from '@hykube/machinery/protobuf'
import type { ObjectCodec } from '@hykube/machinery/resource-type'
import { protobufListTable, protobufTable } from './protobuf-tables.ts'

/** Objects of a type in Kubernetes' protobuf, its envelope around them; undefined for types without tables. */
export function objectProtobuf(typeName: string): ObjectCodec | undefined {
  return codecFor(protobufTable(typeName))
}

/** Lists of objects of a type, in the same form. */
export function listProtobuf(itemTypeName: string): ObjectCodec | undefined {
  return codecFor(protobufListTable(itemTypeName))
}

function codecFor(table: MessageTable | undefined): ObjectCodec | undefined {
  if (table === undefined) return undefined
  const codec = messageCodec(table)
  return {
    encode: (object) => {
      const { apiVersion = '', kind = '' } = object
      return encodeKubernetesEnvelope({ apiVersion, kind, raw: codec.encode(object as Message) })
    },
    decode: (bytes) => {
      const { apiVersion, kind, raw } = decodeKubernetesEnvelope(bytes)
      return { apiVersion, kind, ...codec.decode(raw) } as KubernetesObject
    },
  }
}
