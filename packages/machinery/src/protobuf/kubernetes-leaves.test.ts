import { describe, expect, it } from 'vitest'
import { messageCodec } from './codec.ts'
import { decodeKubernetesEnvelope, encodeKubernetesEnvelope } from './kubernetes-envelope.ts'
import { jsonSchemaLeaves, kubernetesLeaves, listLeaf } from './kubernetes-leaves.ts'
import type { LeafCodec } from './message-table.ts'
import { ProtobufError } from './protobuf-error.ts'

const props = { name: 'Props', fields: [{ number: 1, name: 'id', type: 'string' as const }] }
const leaves = new Map([
  ...kubernetesLeaves(),
  ...jsonSchemaLeaves(() => props),
  ['Verbs', listLeaf('Verbs', 'string')],
])

function codecOf(name: string) {
  const type = leaves.get(name) as LeafCodec
  return messageCodec({ name: 'Holder', fields: [{ number: 1, name: 'value', type, presence: 'go-always' }] })
}

describe('a message with its own JSON representation', () => {
  it.each([
    ['Time', '2026-01-02T03:04:05Z'],
    ['Time', '0001-01-02T00:00:00Z'],
    ['Time', null],
    ['MicroTime', '2026-01-02T03:04:05.000006Z'],
    ['Quantity', '100m'],
    ['IntOrString', 80],
    ['IntOrString', -1],
    ['IntOrString', '50%'],
    ['RawExtension', { a: [1, null, 'ü'] }],
    ['RawExtension', null],
    ['JSON', 5],
    ['FieldsV1', { 'f:spec': {} }],
    ['Duration', '1h2m3.5s'],
    ['Duration', '0s'],
    ['Duration', '-5ms'],
    ['Verbs', ['get', 'list']],
    ['JSONSchemaPropsOrArray', { id: 'a' }],
    ['JSONSchemaPropsOrArray', [{ id: 'a' }, { id: 'b' }]],
    ['JSONSchemaPropsOrBool', true],
    ['JSONSchemaPropsOrBool', false],
    ['JSONSchemaPropsOrBool', { id: 'a' }],
    ['JSONSchemaPropsOrStringArray', ['a']],
  ])('round-trips %s %j', (name, value) => {
    const codec = codecOf(name)
    expect(codec.decode(codec.encode({ value }))).toEqual({ value })
  })

  it('converts times to UTC and drops fractions of a second', () => {
    const codec = codecOf('Time')
    expect(codec.decode(codec.encode({ value: '2026-01-02T03:04:05.678+02:00' }))).toEqual({
      value: '2026-01-02T01:04:05Z',
    })
  })

  it.each([
    ['Time', 'yesterday'],
    ['Time', '2026-13-02T03:04:05Z'],
    ['Duration', '5 minutes'],
    ['IntOrString', 1.5],
  ])('rejects %s %j', (name, value) => {
    expect(() => codecOf(name).encode({ value })).toThrow(ProtobufError)
  })

  it('rejects raw bytes that are not JSON', () => {
    const bytes = messageCodec({
      name: 'Raw',
      fields: [
        { number: 1, name: 'value', type: () => ({ name: 'R', fields: [{ number: 1, name: 'raw', type: 'string' }] }) },
      ],
    }).encode({ value: { raw: '{' } })
    expect(() => codecOf('RawExtension').decode(bytes)).toThrow('not JSON')
  })
})

describe('the envelope', () => {
  it('round-trips apiVersion, kind and bytes', () => {
    const envelope = { apiVersion: 'v1', kind: 'Pod', raw: new Uint8Array([1, 2, 3]) }
    expect(decodeKubernetesEnvelope(encodeKubernetesEnvelope(envelope))).toEqual(envelope)
  })

  it('is rejected without the magic bytes', () => {
    expect(() => decodeKubernetesEnvelope(new Uint8Array([1, 2, 3, 4, 5]))).toThrow(ProtobufError)
  })
})
