import { ProtobufError } from './protobuf-error.ts'

/** Encodes as standard base64 with padding, the form of bytes in Kubernetes JSON. */
export function base64FromBytes(bytes: Uint8Array): string {
  return bytes.toBase64()
}

/** Decodes standard base64; throws ProtobufError when the text is not base64. */
export function bytesFromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text)
  } catch (cause) {
    throw new ProtobufError('not base64', { cause })
  }
}
