import { Http2Error } from './http2-error.ts'

/** How much a WINDOW_UPDATE lets a window grow. */
export function readWindowUpdate(content: Buffer): number {
  if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a window update of a wrong length')
  return content.readUInt32BE(0) & 0x7fffffff
}

/** Checks a PING. */
export function checkPing(id: number, content: Buffer): void {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a ping for a stream')
  if (content.length !== 8) throw new Http2Error('FRAME_SIZE_ERROR', 'a ping of a wrong length')
}

/** The code of a RST_STREAM. */
export function readReset(content: Buffer): number {
  if (content.length !== 4) throw new Http2Error('FRAME_SIZE_ERROR', 'a reset of a wrong length')
  return content.readUInt32BE(0)
}

/** What a GOAWAY says. */
export interface Farewell {
  /** Streams above this one were not looked at. */
  readonly last: number
  readonly code: number
  readonly reason: string
}

/** Reads a GOAWAY. */
export function readFarewell(id: number, content: Buffer): Farewell {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'a farewell for a stream')
  if (content.length < 8) throw new Http2Error('FRAME_SIZE_ERROR', 'a farewell of a wrong length')
  return {
    last: content.readUInt32BE(0) & 0x7fffffff,
    code: content.readUInt32BE(4),
    reason: content.toString('utf8', 8, Math.min(content.length, 200)),
  }
}

/** Whether a SETTINGS confirms ours rather than sets something. */
export function isConfirmation(isAck: boolean, id: number, content: Buffer): boolean {
  if (id !== 0) throw new Http2Error('PROTOCOL_ERROR', 'settings for a stream')
  if (isAck && content.length > 0) throw new Http2Error('FRAME_SIZE_ERROR', 'settings that confirm and set')
  return isAck
}
