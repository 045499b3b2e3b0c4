/** Frames of HTTP/2 (RFC 9113): their format, reading them from bytes, and the error codes. */
export { checkPing, isSettingsAck, readGoaway, readReset, readWindowUpdate } from './control-frames.ts'
export {
  clientPreface,
  defaultFrameSize,
  defaultWindow,
  flagAck,
  flagEndHeaders,
  flagEndStream,
  flagPadded,
  flagPriority,
  frame,
  frameHeaderLength,
  frameTypes,
  largestWindow,
  numberFrame,
  settings,
  settingsFrame,
  writeFrameHeader,
} from './frame.ts'
export { FrameReader } from './frame-reader.ts'
export { type Http2CodeName, Http2Error, http2CodeName, http2Codes } from './http2-error.ts'
export { readSettings } from './peer-settings.ts'
