/** Error codes of RFC 9113, section 7. */
export const http2Codes = {
  NO_ERROR: 0,
  PROTOCOL_ERROR: 1,
  INTERNAL_ERROR: 2,
  FLOW_CONTROL_ERROR: 3,
  SETTINGS_TIMEOUT: 4,
  STREAM_CLOSED: 5,
  FRAME_SIZE_ERROR: 6,
  REFUSED_STREAM: 7,
  CANCEL: 8,
  COMPRESSION_ERROR: 9,
  CONNECT_ERROR: 10,
  ENHANCE_YOUR_CALM: 11,
  INADEQUATE_SECURITY: 12,
  HTTP_1_1_REQUIRED: 13,
} as const

export type Http2CodeName = keyof typeof http2Codes

/** Returns the name of an error code, for messages. */
export function http2CodeName(code: number): string {
  return Object.keys(http2Codes)[code] ?? `error ${code}`
}

/** A connection error: the peer violated HTTP/2, and the connection must be closed with this code. */
export class Http2Error extends Error {
  readonly code: Http2CodeName

  constructor(code: Http2CodeName, message: string) {
    super(message)
    this.name = 'Http2Error'
    this.code = code
  }
}
