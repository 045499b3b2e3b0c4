import { describe, expect, test } from 'vitest'
import {
  clientPreface,
  frame,
  frameTypes,
  type Http2CodeName,
  http2Codes,
  numberFrame,
  settings,
  settingsFrame,
} from '../frames/index.ts'
import { encodeHeaders } from '../hpack/index.ts'
import { openTestServer } from './testing/open-test-server.ts'
import { RawHttp2Client, requestFrame } from './testing/raw-http2-client.ts'

const { DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION } =
  frameTypes
const nothing = new Uint8Array(0)
const zeros = (length: number) => new Uint8Array(length)
const many = (count: number, make: (at: number) => Uint8Array) => Array.from({ length: count }, (_, at) => make(at))
const fields = encodeHeaders([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/stuck'],
])
/** A request that is never answered, and whose body may follow. */
const open = (stream: number) => requestFrame(stream, { path: '/stuck', end: false })
const stuck = (stream: number) => requestFrame(stream, { path: '/stuck' })

describe('closes the connection with the error code of RFC 9113 for', () => {
  const cases: [violation: string, code: Http2CodeName, frames: readonly Uint8Array[]][] = [
    ['a frame above the maximum size', 'FRAME_SIZE_ERROR', [frame(DATA, 0, 1, zeros(16_385))]],
    ['DATA on stream 0', 'PROTOCOL_ERROR', [frame(DATA, 0, 0, zeros(1))]],
    ['HEADERS on stream 0', 'PROTOCOL_ERROR', [frame(HEADERS, 5, 0, fields)]],
    ['PRIORITY on stream 0', 'PROTOCOL_ERROR', [frame(PRIORITY, 0, 0, zeros(5))]],
    ['RST_STREAM on stream 0', 'PROTOCOL_ERROR', [numberFrame(RST_STREAM, 0, 8)]],
    ['CONTINUATION on stream 0', 'PROTOCOL_ERROR', [frame(CONTINUATION, 4, 0, nothing)]],
    ['SETTINGS on a stream', 'PROTOCOL_ERROR', [frame(SETTINGS, 0, 1, nothing)]],
    ['PING on a stream', 'PROTOCOL_ERROR', [frame(PING, 0, 1, zeros(8))]],
    ['GOAWAY on a stream', 'PROTOCOL_ERROR', [frame(GOAWAY, 0, 1, zeros(8))]],
    ['PUSH_PROMISE from a client', 'PROTOCOL_ERROR', [stuck(1), frame(PUSH_PROMISE, 4, 1, zeros(4))]],
    ['DATA on an idle stream', 'PROTOCOL_ERROR', [frame(DATA, 1, 5, zeros(1))]],
    ['RST_STREAM on an idle stream', 'PROTOCOL_ERROR', [numberFrame(RST_STREAM, 5, 8)]],
    ['WINDOW_UPDATE on an idle stream', 'PROTOCOL_ERROR', [numberFrame(WINDOW_UPDATE, 5, 1)]],
    ['a stream with an even number', 'PROTOCOL_ERROR', [stuck(2)]],
    ['DATA on a stream with an even number', 'PROTOCOL_ERROR', [stuck(3), frame(DATA, 0, 2, zeros(1))]],
    ['a stream below one that was opened', 'PROTOCOL_ERROR', [stuck(7), stuck(5)]],
    ['CONTINUATION without HEADERS', 'PROTOCOL_ERROR', [frame(CONTINUATION, 4, 1, fields)]],
    ['CONTINUATION after headers that ended', 'PROTOCOL_ERROR', [open(1), frame(CONTINUATION, 4, 1, fields)]],
    ['headers interrupted by a PING', 'PROTOCOL_ERROR', [frame(HEADERS, 1, 1, fields), frame(PING, 0, 0, zeros(8))]],
    ['headers interrupted by DATA', 'PROTOCOL_ERROR', [frame(HEADERS, 0, 1, fields), frame(DATA, 0, 1, zeros(1))]],
    [
      'headers interrupted by an unknown frame',
      'PROTOCOL_ERROR',
      [frame(HEADERS, 1, 1, fields), frame(0xfa, 0, 0, zeros(1))],
    ],
    [
      'headers continued on another stream',
      'PROTOCOL_ERROR',
      [frame(HEADERS, 1, 1, fields), frame(CONTINUATION, 4, 3, nothing)],
    ],
    ['padding longer than DATA', 'PROTOCOL_ERROR', [open(1), frame(DATA, 8, 1, Uint8Array.of(5, 0))]],
    ['padding longer than HEADERS', 'PROTOCOL_ERROR', [frame(HEADERS, 0xd, 1, Uint8Array.of(200, 0x82))]],
    ['padded DATA without a length', 'PROTOCOL_ERROR', [open(1), frame(DATA, 8, 1, nothing)]],
    ['HEADERS too short for their priority', 'FRAME_SIZE_ERROR', [frame(HEADERS, 0x25, 1, zeros(4))]],
    ['PRIORITY of a wrong length on an idle stream', 'FRAME_SIZE_ERROR', [frame(PRIORITY, 0, 1, zeros(4))]],
    ['RST_STREAM of a wrong length', 'FRAME_SIZE_ERROR', [stuck(1), frame(RST_STREAM, 0, 1, zeros(3))]],
    ['SETTINGS of a wrong length', 'FRAME_SIZE_ERROR', [frame(SETTINGS, 0, 0, zeros(5))]],
    ['a SETTINGS acknowledgement with content', 'FRAME_SIZE_ERROR', [frame(SETTINGS, 1, 0, zeros(6))]],
    ['PING of a wrong length', 'FRAME_SIZE_ERROR', [frame(PING, 0, 0, zeros(7))]],
    ['GOAWAY of a wrong length', 'FRAME_SIZE_ERROR', [frame(GOAWAY, 0, 0, zeros(7))]],
    ['WINDOW_UPDATE of a wrong length', 'FRAME_SIZE_ERROR', [frame(WINDOW_UPDATE, 0, 0, zeros(3))]],
    ['ENABLE_PUSH that is neither 0 nor 1', 'PROTOCOL_ERROR', [settingsFrame([[settings.ENABLE_PUSH, 2]])]],
    ['a window above 2³¹-1', 'FLOW_CONTROL_ERROR', [settingsFrame([[settings.INITIAL_WINDOW_SIZE, 2 ** 31]])]],
    ['a frame size too small', 'PROTOCOL_ERROR', [settingsFrame([[settings.MAX_FRAME_SIZE, 16_383]])]],
    ['a frame size too large', 'PROTOCOL_ERROR', [settingsFrame([[settings.MAX_FRAME_SIZE, 2 ** 24]])]],
    ['a window of the connection that grows by 0', 'PROTOCOL_ERROR', [numberFrame(WINDOW_UPDATE, 0, 0)]],
    ['a window of the connection above 2³¹-1', 'FLOW_CONTROL_ERROR', [numberFrame(WINDOW_UPDATE, 0, 0x7fffffff)]],
    [
      'SETTINGS that overflow the window of a stream',
      'FLOW_CONTROL_ERROR',
      [
        stuck(1),
        numberFrame(WINDOW_UPDATE, 1, 0x7fff0000),
        settingsFrame([[settings.INITIAL_WINDOW_SIZE, 0x7fffffff]]),
      ],
    ],
    [
      'more data than the window of a stream',
      'FLOW_CONTROL_ERROR',
      [open(1), ...many(5, () => frame(DATA, 0, 1, zeros(16_384)))],
    ],
    ['an index of no header field', 'COMPRESSION_ERROR', [frame(HEADERS, 5, 1, Uint8Array.of(0xff, 0x7f))]],
    ['a header that ends early', 'COMPRESSION_ERROR', [frame(HEADERS, 5, 1, Uint8Array.of(0x00, 0x05, 0x61))]],
    [
      'a header table that is too large',
      'COMPRESSION_ERROR',
      [frame(HEADERS, 5, 1, Uint8Array.of(0x3f, 0xff, 0xff, 0x03))],
    ],
    [
      'a header table that changes among headers',
      'COMPRESSION_ERROR',
      [frame(HEADERS, 5, 1, Uint8Array.of(0x82, 0x20))],
    ],
    [
      'headers that decode to more than the limit',
      'ENHANCE_YOUR_CALM',
      [frame(HEADERS, 5, 1, new Uint8Array(16_000).fill(0x90))],
    ],
    [
      'too many CONTINUATION frames',
      'ENHANCE_YOUR_CALM',
      [frame(HEADERS, 1, 1, fields), ...many(100, () => frame(CONTINUATION, 0, 1, nothing))],
    ],
    [
      'a header block above the limit',
      'ENHANCE_YOUR_CALM',
      [frame(HEADERS, 1, 1, fields), ...many(5, () => frame(CONTINUATION, 0, 1, zeros(16_000)))],
    ],
    [
      'too many settings in one frame',
      'ENHANCE_YOUR_CALM',
      [settingsFrame(many(33, () => nothing).map(() => [3, 1] as const))],
    ],
    ['a flood of PING', 'ENHANCE_YOUR_CALM', many(1100, () => frame(PING, 0, 0, zeros(8)))],
    ['a flood of SETTINGS', 'ENHANCE_YOUR_CALM', many(1100, () => settingsFrame([]))],
    ['a flood of PRIORITY', 'ENHANCE_YOUR_CALM', many(1100, (at) => frame(PRIORITY, 0, at * 2 + 1, zeros(5)))],
    ['a flood of unknown frames', 'ENHANCE_YOUR_CALM', many(1100, () => frame(0xfa, 0, 0, nothing))],
    ['a flood of empty DATA', 'ENHANCE_YOUR_CALM', [open(1), ...many(1100, () => frame(DATA, 0, 1, nothing))]],
    [
      'a flood of streams that the client resets',
      'ENHANCE_YOUR_CALM',
      many(1100, (at) => Buffer.concat([stuck(at * 2 + 1), numberFrame(RST_STREAM, at * 2 + 1, 8)])),
    ],
    [
      'a flood of streams that the server must reset',
      'ENHANCE_YOUR_CALM',
      many(1100, (at) => Buffer.concat([stuck(at * 2 + 1), numberFrame(WINDOW_UPDATE, at * 2 + 1, 0)])),
    ],
    ['a flood of refused streams', 'ENHANCE_YOUR_CALM', many(1400, (at) => stuck(at * 2 + 1))],
  ]
  test.each(cases)('%s: %s', async (_, code, frames) => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.start(port)
    client.send(...frames)
    expect(await client.goawayCode()).toBe(http2Codes[code])
    await client.end()
  })

  test.each<[string, Uint8Array[]]>([
    ['HTTP/1', [Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')]],
    ['a first frame that is not SETTINGS', [clientPreface, frame(PING, 0, 0, zeros(8))]],
    ['a first frame that acknowledges SETTINGS', [clientPreface, frame(SETTINGS, 1, 0, nothing)]],
  ])('%s instead of preface and SETTINGS: PROTOCOL_ERROR', async (_, pieces) => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.connect(port)
    client.send(...pieces)
    expect(await client.goawayCode()).toBe(http2Codes.PROTOCOL_ERROR)
    await client.end()
  })

  test.each<[string, Http2CodeName, Uint8Array]>([
    ['HEADERS', 'STREAM_CLOSED', requestFrame(1)],
    ['DATA', 'STREAM_CLOSED', frame(DATA, 0, 1, zeros(1))],
  ])('%s for a closed stream: %s', async (_, code, late) => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1))
    await client.bodyOf(1)
    client.send(late)
    expect(await client.goawayCode()).toBe(http2Codes[code])
  })
})

describe('resets only the stream for', () => {
  const cases: [violation: string, code: Http2CodeName, frames: readonly Uint8Array[]][] = [
    ['a window that grows by 0', 'PROTOCOL_ERROR', [stuck(1), numberFrame(WINDOW_UPDATE, 1, 0)]],
    ['a window above 2³¹-1', 'FLOW_CONTROL_ERROR', [stuck(1), numberFrame(WINDOW_UPDATE, 1, 0x7fffffff)]],
    ['PRIORITY of a wrong length', 'FRAME_SIZE_ERROR', [stuck(1), frame(PRIORITY, 0, 1, zeros(6))]],
    ['DATA after the end of the request', 'STREAM_CLOSED', [stuck(1), frame(DATA, 0, 1, zeros(1))]],
    ['HEADERS after the end of the request', 'STREAM_CLOSED', [stuck(1), stuck(1)]],
    ['trailers that do not end the request', 'PROTOCOL_ERROR', [open(1), frame(HEADERS, 4, 1, fields)]],
  ]
  test.each(cases)('%s: %s', async (_, code, frames) => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.start(port)
    client.send(...frames)
    expect(await client.resetOf(1)).toBe(http2Codes[code])
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })
})

describe('accepts, as the standard demands,', () => {
  const cases: [name: string, frames: readonly Uint8Array[]][] = [
    ['an unknown frame', [frame(0xfa, 0xff, 0, zeros(10)), frame(0xfa, 0, 99, zeros(1))]],
    ['unknown flags', [frame(PING, 0xfe, 0, zeros(8))]],
    ['an unknown setting', [settingsFrame([[0xffff, 1]])]],
    ['PRIORITY on an idle stream', [frame(PRIORITY, 0, 77, zeros(5))]],
    [
      'headers with priority and padding',
      [frame(HEADERS, 0x2d, 1, Buffer.concat([Uint8Array.of(2, 0, 0, 0, 0, 9), fields, zeros(2)]))],
    ],
    [
      'headers in many CONTINUATION frames',
      [
        frame(HEADERS, 1, 1, nothing),
        ...many(fields.length, (at) => frame(CONTINUATION, 0, 1, fields.subarray(at, at + 1))),
        frame(CONTINUATION, 4, 1, nothing),
      ],
    ],
    [
      'late frames for a stream that the client reset',
      [stuck(1), numberFrame(RST_STREAM, 1, 8), numberFrame(WINDOW_UPDATE, 1, 1), numberFrame(RST_STREAM, 1, 8)],
    ],
    [
      'a repeated setting: the last value counts',
      [
        settingsFrame([
          [4, 0],
          [4, 100_000],
        ]),
      ],
    ],
  ]
  test.each(cases)('%s', async (_, frames) => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.start(port)
    client.send(...frames, requestFrame(9))
    expect(await client.bodyOf(9)).toBe('ok')
  })

  test('PING, and answers with its content', async () => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.start(port)
    client.send(frame(PING, 0, 0, Buffer.from('12345678')))
    const answer = await client.until((frames) => frames.find(({ type }) => type === PING))
    expect(answer).toMatchObject({ flags: 1, content: Buffer.from('12345678') })
  })
})
