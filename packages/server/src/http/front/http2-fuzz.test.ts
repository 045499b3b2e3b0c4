import { RawHttp2Client, requestFrame } from '@hykube/http2/connection/testing'
import { clientPreface, frame, frameTypes, numberFrame, settingsFrame } from '@hykube/http2/frames'
import { encodeHeaders } from '@hykube/http2/hpack'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestFront } from './testing/open-test-front.ts'

/** Minimum number of frames sent. `HYKUBE_FUZZ_FRAMES=1000000` is the long form. */
const wanted = Number(process.env.HYKUBE_FUZZ_FRAMES ?? 20_000)
const perConnection = 40

const paths = ['/', '/echo', '/big', '/endless', '/stuck', '/fails', '/%', '/?a=b', '*', '', '//']
const id = fc.oneof(fc.nat(12), fc.constantFrom(0, 1, 3, 5, 0x7fffffff))
const number = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 65_535, 0x7fffffff, 0x80000000))
const text = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('0', '7', 'trailers', 'close', 'GET', 'https'))
const name = fc.constantFrom(
  ':method',
  ':path',
  ':scheme',
  ':authority',
  'content-length',
  'te',
  'host',
  'x',
  'connection',
)
const someFrame = fc.oneof(
  // Valid frames, so that streams are in every state when an invalid one arrives.
  fc
    .tuple(id, fc.constantFrom(...paths), fc.boolean())
    .map(([stream, path, end]) => requestFrame(stream | 1, { path, end })),
  fc
    .tuple(id, fc.nat(40), fc.constantFrom(0, 1))
    .map(([stream, size, end]) => frame(frameTypes.DATA, end, stream | 1, Buffer.alloc(size, '{'))),
  fc.tuple(fc.constantFrom(3, 8), id, number).map(([type, stream, value]) => numberFrame(type, stream, value)),
  fc.array(fc.tuple(fc.nat(8), number), { maxLength: 4 }).map((values) => settingsFrame(values)),
  fc
    .tuple(id, fc.nat(255), fc.array(fc.tuple(name, text), { maxLength: 8 }))
    .map(([stream, flags, fields]) => frame(frameTypes.HEADERS, flags, stream, encodeHeaders(fields))),
  // Arbitrary content.
  fc
    .tuple(fc.nat(12), fc.nat(255), id, fc.uint8Array({ maxLength: 60 }))
    .map(([type, flags, stream, content]) => frame(type, flags, stream, content)),
)

test('survives frames of every kind, in any order and state, without crash, hang or leak', {
  timeout: 20_000 + wanted,
}, async () => {
  const { port, front } = await openTestFront()
  const conversation = fc.record({
    frames: fc.array(someFrame, { minLength: perConnection, maxLength: perConnection }),
    mutations: fc.array(fc.tuple(fc.nat(2000), fc.nat(255)), { maxLength: 3 }),
    cut: fc.nat(2000),
  })
  await fc.assert(
    fc.asyncProperty(conversation, async ({ frames, mutations, cut }) => {
      const client = await RawHttp2Client.connect(port)
      const bytes = Buffer.concat(frames)
      for (const [at, value] of mutations) if (at < bytes.length) bytes[at] = value
      client.send(clientPreface, settingsFrame([]), bytes.subarray(0, cut))
      client.send(bytes.subarray(cut))
      client.socket.end()
      client.socket.resume()
      await client.end()
    }),
    { numRuns: Math.ceil(wanted / perConnection) },
  )
  const honest = await RawHttp2Client.start(port)
  honest.send(requestFrame(1))
  expect(await honest.bodyOf(1)).toBe('ok')
  await expect.poll(() => front.connections).toBe(1)
})

const action = fc.record({
  what: fc.constantFrom('open', 'open', 'data', 'data', 'reset', 'widen', 'widen all', 'ping', 'settings', 'priority'),
  path: fc.constantFrom('/', '/echo', '/big', '/endless', '/stuck', '/fails'),
  which: fc.nat(20),
  size: fc.nat(2000),
  end: fc.boolean(),
})

test('serves every client that follows the protocol, in any order of frames', {
  timeout: 20_000 + wanted,
}, async () => {
  const { port, front } = await openTestFront()
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: perConnection, maxLength: perConnection }), async (actions) => {
      const client = await RawHttp2Client.start(port)
      const unfinished: number[] = []
      let next = 1
      for (const { what, path, which, size, end } of actions) {
        const opened = (which % Math.max(1, (next - 1) / 2)) * 2 + 1
        const stream = unfinished[which % unfinished.length]
        if (what === 'open') {
          if (!end) unfinished.push(next)
          client.send(requestFrame(next, { path, end }))
          next += 2
        } else if (what === 'data' && stream !== undefined) {
          client.send(frame(frameTypes.DATA, end ? 1 : 0, stream, Buffer.alloc(size + 1)))
          if (end) unfinished.splice(unfinished.indexOf(stream), 1)
        } else if (what === 'reset' && next > 1) {
          client.send(numberFrame(frameTypes.RST_STREAM, opened, 8))
          if (unfinished.includes(opened)) unfinished.splice(unfinished.indexOf(opened), 1)
        } else if (what === 'widen' && next > 1) client.send(numberFrame(frameTypes.WINDOW_UPDATE, opened, size + 1))
        else if (what === 'widen all') client.send(numberFrame(frameTypes.WINDOW_UPDATE, 0, size + 1))
        else if (what === 'ping') client.send(frame(frameTypes.PING, 0, 0, Buffer.alloc(8)))
        else if (what === 'settings')
          client.send(
            settingsFrame([
              [4, size * 50],
              [1, size],
            ]),
          )
        else if (what === 'priority') client.send(frame(frameTypes.PRIORITY, 0, which + 1, Buffer.alloc(5)))
      }
      client.send(frame(frameTypes.PING, 0, 0, Buffer.from('finished')))
      const last = await client.until((frames) => frames.find(({ content }) => content.equals(Buffer.from('finished'))))
      expect(last).toBeDefined()
      expect(client.frames.some(({ type }) => type === frameTypes.GOAWAY)).toBe(false)
      client.socket.destroy()
    }),
    { numRuns: Math.ceil(wanted / perConnection / 10) },
  )
  await expect.poll(() => front.connections).toBe(0)
})
