/** Header compression of HTTP/2 (RFC 7541). */
export { fieldValue, type HeaderField } from './header-field.ts'
export { HpackDecoder } from './hpack-decoder.ts'
export { encodeHeaders, HpackEncoder } from './hpack-encoder.ts'
