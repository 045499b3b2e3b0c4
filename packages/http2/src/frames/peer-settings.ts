import { defaultFrameSize, settings } from './frame.ts'
import { Http2Error } from './http2-error.ts'

/** Settings from one SETTINGS frame; the last value wins when a setting is repeated. */
export interface PeerSettings {
  headerTable?: number
  maxStreams?: number
  streamWindow?: number
  frameSize?: number
}

/** Reads a SETTINGS frame. Throws on values that RFC 9113 forbids. */
export function readSettings(content: Buffer): PeerSettings {
  if (content.length % 6 !== 0) throw new Http2Error('FRAME_SIZE_ERROR', 'a SETTINGS frame of a wrong length')
  if (content.length > maxSettings * 6) throw new Http2Error('ENHANCE_YOUR_CALM', 'too many settings at once')
  const read: PeerSettings = {}
  for (let at = 0; at < content.length; at += 6) take(read, content.readUInt16BE(at), content.readUInt32BE(at + 2))
  return read
}

const maxSettings = 32

function take(read: PeerSettings, setting: number, value: number): void {
  switch (setting) {
    case settings.HEADER_TABLE_SIZE:
      read.headerTable = value
      return
    case settings.ENABLE_PUSH:
      if (value > 1) throw new Http2Error('PROTOCOL_ERROR', `ENABLE_PUSH can't be ${value}`)
      return
    case settings.MAX_CONCURRENT_STREAMS:
      read.maxStreams = value
      return
    case settings.INITIAL_WINDOW_SIZE:
      if (value > 2 ** 31 - 1) throw new Http2Error('FLOW_CONTROL_ERROR', `a window of ${value} is too large`)
      read.streamWindow = value
      return
    case settings.MAX_FRAME_SIZE:
      if (value < defaultFrameSize || value > 0xffffff)
        throw new Http2Error('PROTOCOL_ERROR', `a frame size of ${value} is not allowed`)
      read.frameSize = value
      return
    default:
    // RFC 9113, section 6.5.2: unknown settings must be ignored.
  }
}
