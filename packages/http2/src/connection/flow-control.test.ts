import { connect } from 'node:http2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientPreface, frameTypes, http2Codes, numberFrame, settingsFrame } from '../frames/index.ts'
import { openTestServer } from './testing/open-test-server.ts'
import { RawHttp2Client, requestFrame } from './testing/raw-http2-client.ts'

const { DATA, HEADERS, WINDOW_UPDATE } = frameTypes

describe('flow control', () => {
  test('sends only headers without a window, and data as the window grows', async () => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' }))
    await client.until((frames) => frames.find(({ type }) => type === HEADERS))
    expect(client.frames.some(({ type }) => type === DATA)).toBe(false)
    client.send(numberFrame(WINDOW_UPDATE, 0, 1 << 21))
    for (let at = 0; at < 16; at++) client.send(numberFrame(WINDOW_UPDATE, 1, 65_536))
    expect((await client.bodyOf(1)).length).toBe(1 << 20)
  })

  test('fails a connection whose client never reads before the queue fills the memory', async () => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]))
    for (let at = 0; at < 140; at++) client.send(requestFrame(at * 2 + 1, { path: '/big' }))
    expect(await client.goawayCode()).toBe(http2Codes.ENHANCE_YOUR_CALM)
  })

  test('fails a connection whose window grows byte by byte', async () => {
    const { port } = await openTestServer()
    const client = await RawHttp2Client.connect(port)
    client.send(clientPreface, settingsFrame([[4, 0]]), requestFrame(1, { path: '/big' }))
    await client.until((frames) => frames.find(({ type }) => type === HEADERS))
    for (let at = 0; at < 1200; at++) client.send(numberFrame(WINDOW_UPDATE, 1, 1))
    expect(await client.goawayCode()).toBe(http2Codes.ENHANCE_YOUR_CALM)
  })
})

test.each([{}, { initialWindowSize: 1000 }, { initialWindowSize: 1 << 22, maxFrameSize: 1 << 20, headerTableSize: 0 }])(
  'exchanges large bodies with Node’s client with the settings %o',
  async (settings) => {
    const { port } = await openTestServer()
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
