import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Message, messageCodec } from './codec.ts'
import type { MessageTable } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'

const tree: MessageTable = {
  name: 'Tree',
  fields: [
    { number: 1, name: 'string', type: 'string' },
    { number: 2, name: 'bytes', type: 'bytes' },
    { number: 3, name: 'bool', type: 'bool' },
    { number: 4, name: 'int32', type: 'int32' },
    { number: 5, name: 'int64', type: 'int64' },
    { number: 6, name: 'uint32', type: 'uint32' },
    { number: 7, name: 'uint64', type: 'uint64' },
    { number: 8, name: 'sint32', type: 'sint32' },
    { number: 9, name: 'sint64', type: 'sint64' },
    { number: 10, name: 'fixed32', type: 'fixed32' },
    { number: 11, name: 'fixed64', type: 'fixed64' },
    { number: 12, name: 'sfixed32', type: 'sfixed32' },
    { number: 13, name: 'sfixed64', type: 'sfixed64' },
    { number: 14, name: 'double', type: 'double' },
    { number: 15, name: 'float', type: 'float' },
    { number: 16, name: 'base64', type: 'base64' },
    { number: 17, name: 'strings', type: 'string', repeated: true },
    { number: 18, name: 'packed', type: 'sint64', repeated: true, packed: true },
    { number: 19, name: 'loose', type: 'int32', repeated: true },
    { number: 20, name: 'labels', type: 'string', mapKey: 'string' },
    { number: 21, name: 'child', type: () => tree },
    { number: 22, name: 'children', type: () => tree, repeated: true },
    { number: 23, name: 'view', type: 'bytes-view' },
    { number: 2000, name: 'byNumber', type: () => tree, mapKey: 'int32' },
  ],
}

const codec = messageCodec(tree)
const int32 = fc.integer({ min: -0x80000000, max: 0x7fffffff })
const uint32 = fc.integer({ min: 0, max: 0xffffffff })
const integer = (bits: bigint) => (Number.isSafeInteger(Number(bits)) ? Number(bits) : bits)
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(integer)
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(integer)
const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())

const scalars = {
  string: text,
  bytes: fc.uint8Array(),
  view: fc.uint8Array(),
  bool: fc.boolean(),
  int32,
  int64,
  uint32,
  uint64,
  sint32: int32,
  sint64: int64,
  fixed32: uint32,
  fixed64: uint64,
  sfixed32: int32,
  sfixed64: int64,
  double: fc.double(),
  float: fc.float(),
  base64: fc.uint8Array().map((bytes) => bytes.toBase64()),
  strings: fc.array(text, { minLength: 1 }),
  packed: fc.array(int64, { minLength: 1 }),
  loose: fc.array(int32, { minLength: 1 }),
  labels: fc.dictionary(text, text, { minKeys: 1, noNullPrototype: true }),
}

const anyTree = treeOfDepth(2)

describe('a message', () => {
  it('round-trips, and encodes to the same bytes again', () => {
    fc.assert(
      fc.property(anyTree, (message) => {
        const bytes = codec.encode(message)
        const decoded = codec.decode(bytes)
        expect(decoded).toEqual(message)
        expect(codec.encode(decoded)).toEqual(bytes)
      }),
    )
  })

  it('is decoded by a table with fewer fields', () => {
    const fewer = messageCodec({ name: 'Fewer', fields: tree.fields.filter((field) => field.number % 2 === 1) })
    fc.assert(
      fc.property(anyTree, (message) => {
        const known = fewer.decode(codec.encode(message))
        for (const [name, value] of Object.entries(known)) expect(value).toEqual(message[name])
      }),
    )
  })

  it('fails only with ProtobufError for random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), onlyProtobufErrors), { numRuns: 2000 })
  })

  it('fails only with ProtobufError when one byte is changed', () => {
    const mutated = fc.tuple(anyTree, fc.nat(), fc.nat({ max: 255 })).map(([message, place, byte]) => {
      const bytes = codec.encode(message)
      if (bytes.length > 0) bytes[place % bytes.length] = byte
      return bytes
    })
    fc.assert(fc.property(mutated, onlyProtobufErrors))
  })

  it('is rejected when it is truncated', () => {
    const bytes = codec.encode({ string: 'hello', child: { labels: { a: 'b' } } })
    for (let length = 1; length < bytes.length; length++) {
      if (length === 7) continue // ends exactly after the first field
      expect(() => codec.decode(bytes.subarray(0, length)), `${length}`).toThrow(ProtobufError)
    }
  })

  it('is rejected when nested deeper than maxDepth', () => {
    let message: Message = {}
    for (let depth = 0; depth < 50; depth++) message = { child: message }
    const bytes = codec.encode(message)
    expect(codec.decode(bytes, { maxDepth: 51 })).toEqual(message)
    expect(() => codec.decode(bytes, { maxDepth: 50 })).toThrow('nested too deeply')
  })

  it('is rejected when it contains more than maxMessages messages', () => {
    const bytes = codec.encode({ children: Array.from({ length: 100 }, () => ({})) })
    expect(() => codec.decode(bytes, { maxMessages: 100 })).toThrow('too many messages')
  })

  it('rejects more entries of maps and lists than maxEntries', () => {
    const lists = { labels: { a: 'b', c: 'd' }, loose: [1, 2] }
    expect(codec.decode(codec.encode(lists), { maxEntries: 4 })).toEqual(lists)
    expect(() => codec.decode(codec.encode(lists), { maxEntries: 3 })).toThrow('too many entries')
  })

  it('keeps the map key __proto__', () => {
    const labels = JSON.parse('{"__proto__":"x"}') as Message
    const decoded = codec.decode(codec.encode({ labels }))
    expect(Object.keys(decoded.labels as object)).toEqual(['__proto__'])
  })

  it('accepts a packed list for a field that is not declared packed', () => {
    const packed = messageCodec({
      name: 'P',
      fields: [{ number: 19, name: 'loose', type: 'int32', repeated: true, packed: true }],
    })
    expect(codec.decode(packed.encode({ loose: [1, -1] }))).toEqual({ loose: [1, -1] })
  })

  it('skips unknown groups', () => {
    const bytes = new Uint8Array([0xf3, 0x01, 0x08, 0x05, 0xf4, 0x01, 0x18, 0x01])
    expect(codec.decode(bytes)).toEqual({ bool: true })
  })
})

describe('presence', () => {
  const table = (presence: 'implicit' | 'go-value' | 'go-always'): MessageTable => ({
    name: presence,
    fields: [
      { number: 1, name: 'text', type: 'string', presence },
      { number: 2, name: 'count', type: 'int64', presence },
      { number: 3, name: 'list', type: 'string', repeated: true, presence },
      { number: 4, name: 'map', type: 'string', mapKey: 'string', presence },
    ],
  })
  const cases = [
    { presence: 'implicit', bytes: [], decoded: { text: '', count: 0, list: [], map: {} } },
    { presence: 'go-value', bytes: [0x0a, 0, 0x10, 0], decoded: {} },
    { presence: 'go-always', bytes: [0x0a, 0, 0x10, 0], decoded: { text: '', count: 0, list: null, map: null } },
  ] as const
  it.each(cases)('$presence encodes and decodes an empty object', ({ presence, bytes, decoded }) => {
    const { encode, decode } = messageCodec(table(presence))
    expect([...encode({})]).toEqual(bytes)
    expect(decode(new Uint8Array(bytes))).toEqual(decoded)
    expect(decode(new Uint8Array())).toEqual(decoded)
  })
})

describe('rejects a value that does not fit the field', () => {
  it.each([
    [{ string: 5 }, 'string: a string is needed'],
    [{ int32: 2 ** 31 }, 'int32: an integer from'],
    [{ uint64: -1 }, 'uint64: an integer from'],
    [{ int64: '1.5' }, 'int64: an integer from'],
    [{ strings: 'a' }, 'strings must be a list'],
    [{ child: { child: { base64: '*' } } }, 'child: child: base64: not base64'],
  ])('%j', (message, reason) => {
    expect(() => codec.encode(message)).toThrow(reason)
  })
})

function treeOfDepth(depth: number): fc.Arbitrary<Message> {
  const options = { requiredKeys: [] as never[], noNullPrototype: true }
  if (depth === 0) return fc.record(scalars, options) as fc.Arbitrary<Message>
  const nested = treeOfDepth(depth - 1)
  return fc.record(
    {
      ...scalars,
      child: nested,
      children: fc.array(nested, { minLength: 1, maxLength: 2 }),
      byNumber: fc.dictionary(int32.map(String), nested, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    },
    options,
  ) as fc.Arbitrary<Message>
}

function onlyProtobufErrors(bytes: Uint8Array): void {
  try {
    codec.decode(bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(ProtobufError)
  }
}

it('decoded bytes are a copy, independent of the encoded message', () => {
  const codec = messageCodec({ name: 'Bytes', fields: [{ number: 1, name: 'value', type: 'bytes' }] })
  const message = Buffer.from(codec.encode({ value: new Uint8Array([1, 2, 3]) }))
  const { value } = codec.decode(message)
  message.fill(0)
  expect(value).toEqual(new Uint8Array([1, 2, 3]))
})

it('decoded bytes-view fields share memory with the encoded message', () => {
  const codec = messageCodec({ name: 'View', fields: [{ number: 1, name: 'value', type: 'bytes-view' }] })
  const message = codec.encode({ value: new Uint8Array([1, 2, 3]) })
  const { value } = codec.decode(message)
  expect(value).toEqual(new Uint8Array([1, 2, 3]))
  message[3] = 9
  expect(value).toEqual(new Uint8Array([1, 9, 3]))
})

it('encodes correctly during another encoding and after a failed one', () => {
  const inner = codec.encode({ string: 'inner' })
  const message = {
    string: 'outer',
    get bytes() {
      return codec.encode({ string: 'inner' })
    },
  }
  expect(() => codec.encode({ string: 'refused', int32: 'no number' })).toThrow(ProtobufError)
  expect(codec.decode(codec.encode(message))).toEqual({ string: 'outer', bytes: inner })
})

it('a large message does not affect the next one', () => {
  const large = { bytes: new Uint8Array(3 << 20).fill(7), double: 0.5 }
  expect(codec.decode(codec.encode(large))).toEqual(large)
  expect(codec.decode(codec.encode({ double: 0.25, fixed32: 5 }))).toEqual({ double: 0.25, fixed32: 5 })
})
