/** HTTP/2 on sockets, as lean as it can be: frames, header compression, flow control and the limits that keep peers honest. */
export {
  clientPreface,
  flagAck,
  flagEndHeaders,
  flagEndStream,
  flagPadded,
  frame,
  frameTypes,
  numberFrame,
  settings,
  settingsFrame,
} from './frame.ts'
export { encodeHeaders, type HeaderField } from './hpack.ts'
export { type ConnectionEvents, Http2Connection } from './http2-connection.ts'
export { Http2Error, http2CodeName, http2Codes } from './http2-error.ts'
export type { Http2Stream, StreamEvents } from './http2-stream.ts'
