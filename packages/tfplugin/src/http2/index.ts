/** HTTP/2 over sockets: frames, header compression, flow control and the limits that protect against abusive peers. */
export type { ConnectionEvents } from './connection-events.ts'
export type { ConnectionOptions } from './connection-options.ts'
export {
  clientPreface,
  flagAck,
  flagEndHeaders,
  flagEndStream,
  flagPadded,
  flagPriority,
  frame,
  frameTypes,
  numberFrame,
  settings,
  settingsFrame,
} from './frame.ts'
export { flushWriters } from './frame-writer.ts'
export { fieldValue, type HeaderField } from './header-field.ts'
export { encodeHeaders, HpackEncoder } from './hpack-encoder.ts'
export { Http2Connection } from './http2-connection.ts'
export { type Http2CodeName, Http2Error, http2CodeName, http2Codes } from './http2-error.ts'
export type { Http2Stream, StreamEvents } from './http2-stream.ts'
export { areTrailers, type RequestHead, requestHead } from './request-head.ts'
export { areTurnsShared, shareTurns } from './shared-turns.ts'
