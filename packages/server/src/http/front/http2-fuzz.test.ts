import { clientPreface, encodeHeaders, frame, frameTypes, numberFrame, settingsFrame } from '@hykube/tfplugin/http2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openTestFront } from './testing/open-test-front.ts'
import { RawHttp2Client, requestFrame } from './testing/raw-http2-client.ts'

/** How many frames are sent at least. `HYKUBE_FUZZ_FRAMES=1000000` is the long form. */
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
  // Honest ones, so that streams are in every state when something strange comes.
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
  // Anything at all.
  fc
    .tuple(fc.nat(12), fc.nat(255), id, fc.uint8Array({ maxLength: 60 }))
    .map(([type, flags, stream, content]) => frame(type, flags, stream, content)),
)

test('frames of every kind, in any order and state, never crash, hang or leak', {
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
  const honest = await RawHttp2Client.greet(port)
  honest.send(requestFrame(1))
  expect(await honest.bodyOf(1)).toBe('ok')
  await expect.poll(() => front.connections).toBe(1)
})
