/** Frame types of RFC 9113, section 6. */
export const frameTypes = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
} as const

export const flagEndStream = 0x1
export const flagAck = 0x1
export const flagEndHeaders = 0x4
export const flagPadded = 0x8
export const flagPriority = 0x20

/** Setting identifiers of RFC 9113, section 6.5.2. */
export const settings = {
  HEADER_TABLE_SIZE: 1,
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const

export const frameHeaderLength = 9
/** Largest frame content a peer may send unless the receiver's SETTINGS allow more. */
export const defaultFrameSize = 16_384
export const defaultWindow = 65_535
export const largestWindow = 2 ** 31 - 1
/** Fixed bytes that a client sends before its first frame (RFC 9113, section 3.4). */
export const clientPreface: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** Writes the nine-byte frame header. */
export function writeFrameHeader(
  into: Uint8Array,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  into[at] = length >>> 16
  into[at + 1] = length >>> 8
  into[at + 2] = length
  into[at + 3] = type
  into[at + 4] = flags
  into[at + 5] = stream >>> 24
  into[at + 6] = stream >>> 16
  into[at + 7] = stream >>> 8
  into[at + 8] = stream
}

/** Builds a complete frame. */
export function frame(type: number, flags: number, stream: number, content: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeaderLength + content.length)
  writeFrameHeader(bytes, 0, content.length, type, flags, stream)
  bytes.set(content, frameHeaderLength)
  return bytes
}

/** Builds a SETTINGS frame from identifier and value pairs. */
export function settingsFrame(values: readonly (readonly [setting: number, value: number])[]): Buffer {
  const content = Buffer.alloc(values.length * 6)
  values.forEach(([setting, value], index) => {
    content.writeUInt16BE(setting, index * 6)
    content.writeUInt32BE(value, index * 6 + 2)
  })
  return frame(frameTypes.SETTINGS, 0, 0, content)
}

/** Builds a frame whose content is one 32-bit number: RST_STREAM or WINDOW_UPDATE. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const content = Buffer.allocUnsafe(4)
  content.writeUInt32BE(value >>> 0)
  return frame(type, 0, stream, content)
}
