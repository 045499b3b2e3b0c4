import { Http2Error } from './http2-error.ts'

/** Reads the increment of a WINDOW_UPDATE frame. */
export function readWindowUpdate(content: Buffer): number {
  if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a WINDOW_UPDATE frame of a wrong length')
  return content.readUInt32BE(0) & 0x7fffffff
}

/** Throws unless the frame is a valid PING: on stream 0, with eight bytes of content. */
export function checkPing(id: number, content: Buffer): void {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a PING frame on a stream')
  if (content.length !== 8) throw new Http2Error('FRAME_SIZE_ERROR', 'a PING frame of a wrong length')
}

/** Reads the error code of a RST_STREAM frame. */
export function readReset(content: Buffer): number {
  if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a RST_STREAM frame of a wrong length')
  return content.readUInt32BE(0)
}

/** Content of a GOAWAY frame. */
export interface GoawayFrame {
  /** Highest stream id the peer processed. Requests on higher streams can be retried safely. */
  readonly last: number
  readonly code: number
  readonly reason: string
}

/** Reads a GOAWAY frame; the debug text is cut to 200 bytes. */
export function readGoaway(id: number, content: Buffer): GoawayFrame {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a GOAWAY frame on a stream')
  if (content.length < 8) throw new Http2Error('FRAME_SIZE_ERROR', 'a GOAWAY frame of a wrong length')
  return {
    last: content.readUInt32BE(0) & 0x7fffffff,
    code: content.readUInt32BE(4),
    reason: content.toString('utf8', 8, Math.min(content.length, 200)),
  }
}

/** Returns true for an acknowledgement of our SETTINGS, false for a frame that carries the peer's settings. */
export function isSettingsAck(isAck: boolean, id: number, content: Buffer): boolean {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a SETTINGS frame on a stream')
  if (isAck && content.length > 0) throw new Http2Error('FRAME_SIZE_ERROR', 'a SETTINGS acknowledgement with content')
  return isAck
}
