import { documentProtobuf } from '@hykube/server/kinds'

/** Encodes an object in protobuf; for kinds without tables returns bytes with the protobuf envelope's prefix. */
export function protobufOf(object: { readonly apiVersion: string; readonly kind: string }): Uint8Array {
  const codec = documentProtobuf(object.apiVersion, object.kind)
  try {
    return codec?.encode(object) ?? Buffer.from('k8s\0\x0a\x04\x0a\x02v1')
  } catch {
    return Buffer.from('k8s\0')
  }
}
