import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Http2Error } from '../frames/index.ts'
import type { HeaderField } from './header-field.ts'
import { HpackDecoder } from './hpack-decoder.ts'
import { encodeHeaders, HpackEncoder } from './hpack-encoder.ts'
import { huffmanDecode } from './huffman.ts'

const decoder = () => new HpackDecoder({ largestTable: 4096, largestList: 65536 })
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('HPACK', () => {
  test('decodes what it encodes', () => {
    const latin = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })
    const fields = fc.array(fc.tuple(fc.oneof(latin, fc.constantFrom(':path', 'te', 'content-type')), latin))
    fc.assert(
      fc.property(fields, (list) => {
        expect(decoder().decode(Buffer.from(encodeHeaders(list)))).toEqual(list)
      }),
    )
  })

  // RFC 7541, appendices C.4 and C.6: the dynamic table grows over several blocks with Huffman strings.
  test('decodes the consecutive blocks of the RFC examples', () => {
    const requests = decoder()
    expect(requests.decode(hex('828684418cf1e3c2e5f23a6ba0ab90f4ff'))).toContainEqual([':authority', 'www.example.com'])
    expect(requests.decode(hex('828684be5886a8eb10649cbf'))).toContainEqual(['cache-control', 'no-cache'])
    expect(requests.decode(hex('828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf'))).toEqual([
      [':method', 'GET'],
      [':scheme', 'https'],
      [':path', '/index.html'],
      [':authority', 'www.example.com'],
      ['custom-key', 'custom-value'],
    ])
  })

  test('evicts the oldest entry when the table is full', () => {
    const responses = new HpackDecoder({ largestTable: 256, largestList: 65536 })
    const date = 'd07abe941054d444a8200595040b8166e082a62d1bff'
    responses.decode(hex(`488264025885aec3771a4b6196${date}6e919d29ad171863c78f0b97c8e9ae82ae43d3`))
    expect(responses.decode(hex('4883640effc1c0bf'))[0]).toEqual([':status', '307'])
    expect(() => responses.decode(hex('c3'))).toThrow(Http2Error)
  })

  test('does not cache blocks while the dynamic table is in use', () => {
    const shared = decoder()
    const block = hex('be')
    shared.decode(Buffer.concat([hex('40'), text('a'), text('1')]))
    expect(shared.decode(block)).toEqual([['a', '1']])
    shared.decode(Buffer.concat([hex('40'), text('a'), text('2')]))
    expect(shared.decode(block)).toEqual([['a', '2']])
    shared.decode(hex('20'))
    expect(() => shared.decode(block)).toThrow('no header field')
  })

  test('rejects random bytes with an Http2Error only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decoder().decode(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(Http2Error)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('rejects a block that decodes to too much', () => {
    const big = new HpackDecoder({ largestTable: 4096, largestList: 65536 })
    const insert = Buffer.concat([hex('40'), text('x'), text('y'.repeat(100))])
    const bomb = Buffer.concat([insert, Buffer.alloc(10_000, 0xbe)])
    expect(() => big.decode(bomb)).toThrow('too large')
  })

  test.each(['ff ff ff ff', '00', '1f ff'])('rejects invalid Huffman code: %s', (bytes) => {
    expect(() => huffmanDecode(hex(bytes))).toThrow(Http2Error)
  })
})

describe('HPACK with a dynamic table', () => {
  test('decodes consecutive blocks, and encodes a repeated field as one byte', () => {
    const name = fc.constantFrom('content-type', 'x-a', 'x-b', ':status', 'vary-me')
    const blocks = fc.array(fc.array(fc.tuple(name, fc.constantFrom('200', 'one', 'two', 'y'.repeat(300)))))
    fc.assert(
      fc.property(blocks, fc.array(fc.nat(5000), { maxLength: 3 }), (lists, limits) => {
        const [encoder, reader] = [new HpackEncoder(new Set(['vary-me'])), decoder()]
        for (const list of lists) {
          const limit = limits.pop()
          if (limit !== undefined) encoder.limitTable(limit)
          encoder.begin()
          for (const [field, value] of list) encoder.field(field, value)
          expect(reader.decode(Buffer.from(encoder.end()))).toEqual(list)
        }
      }),
    )
    const encoder = new HpackEncoder(new Set())
    const lengths = [1, 2].map(() => {
      encoder.begin()
      encoder.field('x-a', 'some value')
      return encoder.end().length
    })
    expect(lengths).toEqual([16, 1])
  })
})

describe('Huffman code', () => {
  // Node's HTTP/2 uses Huffman code wherever it is shorter, so its output covers every printable character.
  test("decodes headers encoded by Node's HTTP/2", () => {
    const program = `
      const http2 = require('node:http2'); const net = require('node:net')
      const value = Array.from({length: 94}, (_, i) => String.fromCharCode(33 + i).repeat(1) + 'aeiost').join('')
      const server = net.createServer((socket) => { const all = []
        socket.on('data', (chunk) => { all.push(chunk); const bytes = Buffer.concat(all); let at = 24
          while (bytes.length - at >= 9) { const length = bytes.readUIntBE(at, 3); if (bytes.length < at + 9 + length) return
            if (bytes[at + 3] === 1) { const skip = bytes[at + 4] & 0x20 ? 5 : 0
              process.stdout.write(bytes.subarray(at + 9 + skip, at + 9 + length).toString('hex')); process.exit(0) }
            at += 9 + length } })
        socket.write(Buffer.from('000000040000000000', 'hex')) })
      server.listen(0, () => http2.connect('http://localhost:' + server.address().port).request({ ':path': '/x', 'x-all': value }))`
    const block = Buffer.from(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }), 'hex')
    const expected = Array.from({ length: 94 }, (_, i) => `${String.fromCharCode(33 + i)}aeiost`).join('')
    expect(decoder().decode(block)).toContainEqual(['x-all', expected] satisfies HeaderField)
  })
})

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
}
