import { connect } from 'node:http2'
import {
  clientPreface,
  encodeHeaders,
  frame,
  frameTypes,
  http2Codes,
  numberFrame,
  settingsFrame,
} from '@hykube/tfplugin/http2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { maximumBodyBytes } from './exchange.ts'
import { openTestFront } from './testing/open-test-front.ts'
import { type RawFrame, RawHttp2Client, requestFrame } from './testing/raw-http2-client.ts'

const { DATA, HEADERS, RST_STREAM, GOAWAY, WINDOW_UPDATE } = frameTypes

describe('requests and answers', () => {
  test('many streams at once are answered, each with its own', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    for (let id = 1; id < 200; id += 2)
      client.send(requestFrame(id, { path: '/echo', end: false }), frame(DATA, 1, id, Buffer.from(`body ${id}`)))
    for (let id = 1; id < 200; id += 2) expect(await client.bodyOf(id)).toBe(`body ${id}`)
  })

  test('a body comes in pieces, padded, with trailers behind it', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { path: '/echo', end: false, also: [['content-length', '6']] }))
    client.send(frame(DATA, 8, 1, Buffer.from('\x02abc\0\0')), frame(DATA, 0, 1, Buffer.from('def')))
    client.send(frame(HEADERS, 5, 1, encodeHeaders([['x-trailer', 'yes']])))
    expect(await client.bodyOf(1)).toBe('abcdef')
  })

  test('a body of the largest size is let in, a larger one is 413, and its rest is not waited for', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
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
    // What was under way is nobody's fault.
    client.send(frame(DATA, 0, 3, Buffer.alloc(100)), requestFrame(5))
    expect(await client.bodyOf(5)).toBe('ok')
  })

  test('receives the rest of a body that it does not read, and does not reset the stream', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
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

  test('resets a stream with NO_ERROR when its unread body goes on beyond the limit', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { end: false }))
    expect(await client.bodyOf(1)).toBe('ok')
    await client.until((frames) => frames.find(({ type, id }) => type === WINDOW_UPDATE && id === 1))
    for (let sent = 0; sent < maximumBodyBytes; sent += 16_384) client.send(frame(DATA, 0, 1, Buffer.alloc(16_384)))
    client.send(frame(DATA, 0, 1, Buffer.alloc(1)))
    expect(await client.resetOf(1)).toBe(http2Codes.NO_ERROR)
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })

  test('ends a connection on which an answered request is not finished when the server stops', async () => {
    const { port, front } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { end: false }))
    expect(await client.bodyOf(1)).toBe('ok')
    front.stop()
    expect(await client.resetOf(1).then(() => client.end())).toBeUndefined()
  })

  test('a header that comes twice has one name and two values', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
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

  test('headers that repeat cost a byte each', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1), requestFrame(3))
    await client.bodyOf(3)
    const [first, second] = client.frames.filter(({ type }) => type === HEADERS)
    expect(first!.content.length).toBeGreaterThan(30)
    expect(second!.content.length).toBeLessThan(10)
  })

  test('a producer that fails cuts its stream', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { path: '/fails' }))
    expect(await client.resetOf(1)).toBe(http2Codes.INTERNAL_ERROR)
  })

  test('a client that gives a stream up is not worked for any longer', async () => {
    const { port, handled } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { path: '/endless' }))
    await client.until((frames) => frames.find(({ type }) => type === DATA))
    client.send(numberFrame(RST_STREAM, 1, http2Codes.CANCEL))
    await expect.poll(() => handled.left).toBe(1)
  })
})

test.each([{}, { initialWindowSize: 1000 }, { initialWindowSize: 1 << 22, maxFrameSize: 1 << 20, headerTableSize: 0 }])(
  'Node’s own client with the settings %o gets and sends large bodies, many at once',
  async (settings) => {
    const { port } = await openTestFront()
    const session = connect(`http://127.0.0.1:${port}`, { settings })
    onTestFinished(() => session.destroy())
    const body = Buffer.alloc(300_000, 'z')
    const call = (path: string, sent?: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const stream = session.request({ ':path': path, ':method': sent === undefined ? 'GET' : 'POST' })
        let length = 0
        stream.on('data', (chunk: Buffer) => {
          length += chunk.length
        })
        stream.on('end', () => resolve(length))
        stream.on('error', reject)
        stream.end(sent)
      })
    const calls = Array.from({ length: 8 }, () => [call('/big'), call('/echo', body)]).flat()
    expect(new Set(await Promise.all(calls))).toEqual(new Set([1 << 20, body.length]))
  },
)

describe('limits', () => {
  test('a stream above 250 is refused, and may come again when another has ended', async () => {
    const { port, handled } = await openTestFront()
    const client = await RawHttp2Client.greet(port)
    const hello = await client.until((frames) => frames.find(({ type }) => type === frameTypes.SETTINGS))
    expect([...settingsOf(hello!)]).toContainEqual([3, 250])
    for (let at = 0; at <= 250; at++) client.send(requestFrame(at * 2 + 1, { path: '/stuck' }))
    expect(await client.resetOf(501)).toBe(http2Codes.REFUSED_STREAM)
    client.send(numberFrame(RST_STREAM, 1, http2Codes.CANCEL))
    await expect.poll(() => handled.left).toBe(1)
    client.send(requestFrame(503))
    expect(await client.bodyOf(503)).toBe('ok')
  })

  test('a client without a window gets the head alone, and the rest as its window grows', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' }))
    await client.until((frames) => frames.find(({ type }) => type === HEADERS))
    expect(client.frames.some(({ type }) => type === DATA)).toBe(false)
    client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 21))
    for (let at = 0; at < 16; at++) client.send(numberFrame(WINDOW_UPDATE, 1, 65_536))
    expect((await client.bodyOf(1)).length).toBe(1 << 20)
  })

  test('a client that never takes its answers is cut off before they fill the memory', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]))
    for (let at = 0; at < 140; at++) client.send(requestFrame(at * 2 + 1, { path: '/big' }))
    expect(await client.farewell()).toBe(http2Codes.ENHANCE_YOUR_CALM)
  })

  test('a client that asks faster than it reads waits, and gets everything', async () => {
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

  test('a window that grows byte by byte is not served for ever', async () => {
    const { port } = await openTestFront()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' }))
    await client.until((frames) => frames.find(({ type }) => type === HEADERS))
    for (let at = 0; at < 1200; at++) client.send(numberFrame(WINDOW_UPDATE, 1, 1))
    expect(await client.farewell()).toBe(http2Codes.ENHANCE_YOUR_CALM)
  })

  test.each<[string, () => Uint8Array[]]>([
    ['never greets', () => []],
    ['greets and asks for nothing', () => [clientPreface, settingsFrame([])]],
    ['takes nothing', () => [clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' })]],
  ])('a client that %s is let go after a while', async (_, words) => {
    const { port, front } = await openTestFront({ greeting: 40, idle: 40, stalled: 40 })
    const client = await RawHttp2Client.connect(port)
    client.send(...words())
    await client.end()
    await expect.poll(() => front.connections).toBe(0)
  })

  test('a client that only watches is kept', async () => {
    const { port } = await openTestFront({ greeting: 20, idle: 20, stalled: 20 })
    const client = await RawHttp2Client.greet(port)
    client.send(requestFrame(1, { path: '/wait' }))
    const patience = await RawHttp2Client.connect(port)
    await patience.end()
    client.send(requestFrame(3))
    expect(await client.bodyOf(3)).toBe('ok')
  })
})

test('a front that stops says goodbye, answers what it has begun, and refuses the rest', async () => {
  const { port, front, handled, openGate } = await openTestFront()
  const client = await RawHttp2Client.greet(port)
  client.send(requestFrame(1, { path: '/wait' }), requestFrame(3, { path: '/endless' }))
  await expect.poll(() => handled.started).toBe(2)
  front.stop()
  const goodbye = await client.until((frames) => frames.find(({ type }) => type === GOAWAY))
  expect(goodbye!.content.readUInt32BE(0)).toBe(3)
  expect(goodbye!.content.readUInt32BE(4)).toBe(http2Codes.NO_ERROR)
  client.send(requestFrame(5))
  await client.until((frames) => frames.find(({ type, id }) => type === RST_STREAM && id === 5))
  expect(client.frames.find(({ type, id }) => type === RST_STREAM && id === 5)!.content.readUInt32BE(0)).toBe(
    http2Codes.REFUSED_STREAM,
  )
  openGate()
  client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 20), numberFrame(WINDOW_UPDATE, 3, 1 << 20))
  expect(await client.bodyOf(1)).toBe('waited')
  await client.end()
  expect(handled.left).toBe(1)
})

function* settingsOf({ content }: RawFrame): Generator<readonly [number, number]> {
  for (let at = 0; at < content.length; at += 6) yield [content.readUInt16BE(at), content.readUInt32BE(at + 2)]
}
