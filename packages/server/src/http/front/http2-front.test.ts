import { type RawFrame, RawHttp2Client, requestFrame } from '@hykube/http2/connection/testing'
import { clientPreface, frame, frameTypes, http2Codes, numberFrame, settingsFrame } from '@hykube/http2/frames'
import { encodeHeaders, type HeaderField } from '@hykube/http2/hpack'
import { describe, expect, test } from 'vitest'
import { maximumBodyBytes } from './exchange.ts'
import { openTestFront } from './testing/open-test-front.ts'

const { DATA, HEADERS, RST_STREAM, GOAWAY, WINDOW_UPDATE } = frameTypes

describe('requests and responses', () => {
  test('answers many concurrent streams', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    for (let id = 1; id < 200; id += 2)
      client.send(requestFrame(id, { path: '/echo', end: false }), frame(DATA, 1, id, Buffer.from(`body ${id}`)))
    for (let id = 1; id < 200; id += 2) expect(await client.bodyOf(id)).toBe(`body ${id}`)
  })

  test('reads a body in padded pieces, followed by trailers', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { path: '/echo', end: false, also: [['content-length', '6']] }))
    client.send(frame(DATA, 8, 1, Buffer.from('\x02abc\0\0')), frame(DATA, 0, 1, Buffer.from('def')))
    client.send(frame(HEADERS, 5, 1, encodeHeaders([['x-trailer', 'yes']])))
    expect(await client.bodyOf(1)).toBe('abcdef')
  })

  test('reads a body of the maximum size, and answers a larger one with 413 without reading it', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    const length = String(maximumBodyBytes)
    client.send(requestFrame(1, { path: '/echo', end: false, also: [['content-length', length]] }))
    client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 24), numberFrame(WINDOW_UPDATE, 1, 1 << 24))
    await client.until((frames) => frames.find(({ type, id }) => type === WINDOW_UPDATE && id === 1))
    for (let sent = 0; sent < maximumBodyBytes; sent += 16_384)
      client.send(frame(DATA, sent + 16_384 >= maximumBodyBytes ? 1 : 0, 1, Buffer.alloc(16_384, 'x')))
    expect((await client.bodyOf(1)).length).toBe(maximumBodyBytes)
    const more = String(maximumBodyBytes + 1)
    client.send(requestFrame(3, { path: '/echo', end: false, also: [['content-length', more]] }))
    expect(await client.bodyOf(3)).toContain('too large')
    expect(await client.resetOf(3)).toBe(http2Codes.NO_ERROR)
    // Data that was in flight when the stream was reset is no violation.
    client.send(frame(DATA, 0, 3, Buffer.alloc(100)), requestFrame(5))
    expect(await client.bodyOf(5)).toBe('ok')
  })

  test('drops the rest of a body that no handler reads, without resetting the stream', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    for (const [id, also] of [
      [1, [['content-length', '98304']]],
      [3, []],
    ] as const) {
      client.send(requestFrame(id, { end: false, also }))
      expect(await client.bodyOf(id)).toBe('ok')
      await client.until((frames) => frames.find((each) => each.type === WINDOW_UPDATE && each.id === id))
      for (let sent = 16_384; sent <= 98_304; sent += 16_384)
        client.send(frame(DATA, sent === 98_304 ? 1 : 0, id, Buffer.alloc(16_384)))
    }
    client.send(requestFrame(5))
    expect(await client.bodyOf(5)).toBe('ok')
    expect(client.frames.filter(({ type }) => type === RST_STREAM || type === GOAWAY)).toEqual([])
  })

  test('resets a stream with NO_ERROR when its unread body exceeds the limit', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { end: false }))
    expect(await client.bodyOf(1)).toBe('ok')
    await client.until((frames) => frames.find(({ type, id }) => type === WINDOW_UPDATE && id === 1))
    for (let sent = 0; sent < maximumBodyBytes; sent += 16_384) client.send(frame(DATA, 0, 1, Buffer.alloc(16_384)))
    client.send(frame(DATA, 0, 1, Buffer.alloc(1)))
    expect(await client.resetOf(1)).toBe(http2Codes.NO_ERROR)
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })

  test('closes a connection with an answered but unfinished request when the server stops', async () => {
    const { port, front } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { end: false }))
    expect(await client.bodyOf(1)).toBe('ok')
    front.stop()
    expect(await client.resetOf(1).then(() => client.end())).toBeUndefined()
  })

  test('gives a repeated header one name and two values', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(
      requestFrame(1, {
        path: '/headers',
        also: [
          ['x', 'a,b'],
          ['y', 'c'],
          ['x', 'd'],
        ],
      }),
    )
    expect((await client.bodyOf(1)).split(' ').slice(-2)).toEqual(['x=a,b,d', 'y=c'])
  })

  test('sends a repeated response header in one byte', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1), requestFrame(3))
    await client.bodyOf(3)
    const [first, second] = client.frames.filter(({ type }) => type === HEADERS)
    expect(first!.content.length).toBeGreaterThan(30)
    expect(second!.content.length).toBeLessThan(10)
  })

  test('resets the stream when the producer of its body fails', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { path: '/fails' }))
    expect(await client.resetOf(1)).toBe(http2Codes.INTERNAL_ERROR)
  })

  test('stops producing a body when the client resets the stream', async () => {
    const { port, handled } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { path: '/endless' }))
    await client.until((frames) => frames.find(({ type }) => type === DATA))
    client.send(numberFrame(RST_STREAM, 1, http2Codes.CANCEL))
    await expect.poll(() => handled.ended).toBe(1)
  })
})

describe('limits', () => {
  test('refuses the 251st stream until another one has ended', async () => {
    const { port, handled } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    const first = await client.until((frames) => frames.find(({ type }) => type === frameTypes.SETTINGS))
    expect([...settingsOf(first!)]).toContainEqual([3, 250])
    for (let at = 0; at <= 250; at++) client.send(requestFrame(at * 2 + 1, { path: '/stuck' }))
    expect(await client.resetOf(501)).toBe(http2Codes.REFUSED_STREAM)
    client.send(numberFrame(RST_STREAM, 1, http2Codes.CANCEL))
    await expect.poll(() => handled.ended).toBe(1)
    client.send(requestFrame(503))
    expect(await client.bodyOf(503)).toBe('ok')
  })

  test('holds further requests of a client that does not read its responses', async () => {
    const { port, handled } = await openTestFront()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]))
    for (let at = 0; at < 20; at++) client.send(requestFrame(at * 2 + 1, { path: '/big' }))
    await client.until((frames) => (frames.filter(({ type }) => type === HEADERS).length === 20 ? true : undefined))
    client.send(requestFrame(101))
    client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 24))
    for (let at = 0; at < 2; at++) client.send(numberFrame(WINDOW_UPDATE, at * 2 + 1, 1 << 20))
    await client.bodyOf(3)
    expect(handled.started).toBe(20)
    for (let at = 2; at < 20; at++) client.send(numberFrame(WINDOW_UPDATE, at * 2 + 1, 1 << 20))
    client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 24), numberFrame(WINDOW_UPDATE, 101, 1 << 20))
    expect(await client.bodyOf(101)).toBe('ok')
  })

  test.each<[string, () => Uint8Array[]]>([
    ['sends no SETTINGS', () => []],
    ['sends no request', () => [clientPreface, settingsFrame([])]],
    ['reads nothing', () => [clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' })]],
  ])('closes the connection of a client that %s', async (_, frames) => {
    const { port, front } = await openTestFront({ settings: 40, idle: 40, stalled: 40 })
    const client = await RawHttp2Client.connect(port)
    client.send(...frames())
    await client.end()
    await expect.poll(() => front.connections).toBe(0)
  })

  test('keeps the connection of a client that only watches', async () => {
    const { port } = await openTestFront({ settings: 20, idle: 20, stalled: 20 })
    const client = await RawHttp2Client.start(port)
    client.send(requestFrame(1, { path: '/wait' }))
    const idle = await RawHttp2Client.connect(port)
    await idle.end()
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })
})

test('sends GOAWAY, answers started requests and refuses new ones when the front stops', async () => {
  const { port, front, handled, openGate } = await openTestFront()
  const client = await RawHttp2Client.start(port)
  client.send(requestFrame(1, { path: '/wait' }), requestFrame(3, { path: '/endless' }))
  await expect.poll(() => handled.started).toBe(2)
  front.stop()
  const goaway = await client.until((frames) => frames.find(({ type }) => type === GOAWAY))
  expect(goaway!.content.readUInt32BE(0)).toBe(3)
  expect(goaway!.content.readUInt32BE(4)).toBe(http2Codes.NO_ERROR)
  client.send(requestFrame(5))
  await client.until((frames) => frames.find(({ type, id }) => type === RST_STREAM && id === 5))
  expect(client.frames.find(({ type, id }) => type === RST_STREAM && id === 5)!.content.readUInt32BE(0)).toBe(
    http2Codes.REFUSED_STREAM,
  )
  openGate()
  client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 20), numberFrame(WINDOW_UPDATE, 3, 1 << 20))
  expect(await client.bodyOf(1)).toBe('waited')
  await client.end()
  expect(handled.ended).toBe(1)
})

function* settingsOf({ content }: RawFrame): Generator<readonly [number, number]> {
  for (let at = 0; at < content.length; at += 6) yield [content.readUInt16BE(at), content.readUInt32BE(at + 2)]
}

describe('resets a stream with PROTOCOL_ERROR for', () => {
  const post = (also: readonly HeaderField[]) => requestFrame(1, { path: '/echo', end: false, also })
  const head = (...list: readonly HeaderField[]) => frame(HEADERS, 5, 1, encodeHeaders(list))
  test.each<[string, readonly Uint8Array[]]>([
    ['trailers with pseudo-headers', [post([]), frame(HEADERS, 5, 1, encodeHeaders([[':method', 'GET']]))]],
    ['a body longer than content-length', [post([['content-length', '1']]), frame(DATA, 0, 1, Buffer.alloc(2))]],
    ['a body shorter than content-length', [post([['content-length', '3']]), frame(DATA, 1, 1, Buffer.alloc(2))]],
    ['an empty body with content-length', [post([['content-length', '3']]), frame(DATA, 1, 1, Buffer.alloc(0))]],
    ['no method', [head([':scheme', 'https'], [':path', '/'])]],
    ['no path', [head([':method', 'GET'], [':scheme', 'https'])]],
    ['a header in upper case', [requestFrame(1, { also: [['Accept', 'x']] })]],
    ['a header about the connection', [requestFrame(1, { also: [['connection', 'close']] })]],
  ])('%s', async (_, frames) => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.start(port)
    client.send(...frames)
    expect(await client.resetOf(1)).toBe(http2Codes.PROTOCOL_ERROR)
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })
})

test('closes the connection with ENHANCE_YOUR_CALM for a flood of malformed requests', async () => {
  const { port } = await openTestFront()
  const client = await RawHttp2Client.start(port)
  for (let at = 0; at < 1100; at++) client.send(frame(HEADERS, 5, at * 2 + 1, Uint8Array.of(0x82)))
  expect(await client.goawayCode()).toBe(http2Codes.ENHANCE_YOUR_CALM)
})
