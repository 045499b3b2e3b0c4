import {
  clientPreface,
  defaultWindow,
  frame,
  frameTypes,
  numberFrame,
  settings,
  settingsFrame,
} from '../frames/index.ts'
import type { CompleteConnectionOptions } from './connection-options.ts'

/** Frames that a side sends first: the client's preface, its SETTINGS, and the connection window above the default. */
export function initialFrames(options: CompleteConnectionOptions): Uint8Array[] {
  const { role, maxStreams, headerTable, streamWindow, largestHeaders, connectionWindow } = options
  const isServer = role === 'server'
  const frames: Uint8Array[] = isServer ? [] : [clientPreface]
  frames.push(
    settingsFrame([
      [settings.HEADER_TABLE_SIZE, headerTable],
      isServer ? [settings.MAX_CONCURRENT_STREAMS, maxStreams] : [settings.ENABLE_PUSH, 0],
      [settings.INITIAL_WINDOW_SIZE, streamWindow],
      [settings.MAX_HEADER_LIST_SIZE, largestHeaders],
    ]),
  )
  if (connectionWindow > defaultWindow)
    frames.push(numberFrame(frameTypes.WINDOW_UPDATE, 0, connectionWindow - defaultWindow))
  return frames
}

/**
 * Builds a GOAWAY frame. `lastStream` is the highest peer stream that was processed, so that the peer knows what it may
 * retry.
 */
export function goawayFrame(lastStream: number, code: number, reason: string): Uint8Array {
  const content = Buffer.alloc(8 + Buffer.byteLength(reason))
  content.writeUInt32BE(lastStream, 0)
  content.writeUInt32BE(code, 4)
  content.write(reason, 8)
  return frame(frameTypes.GOAWAY, 0, 0, content)
}
