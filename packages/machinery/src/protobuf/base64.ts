import { ProtobufError } from './protobuf-error.ts'

/** Standard base64 with padding, as bytes are in JSON. */
export function base64FromBytes(bytes: Uint8Array): string {
  return bytes.toBase64()
}

/** Reads standard base64. */
export function bytesFromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(text)
  } catch (cause) {
    throw new ProtobufError('not base64', { cause })
  }
}
