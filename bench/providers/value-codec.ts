import {
  boolType,
  Decimal,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  type Value,
  valueFromMsgpack,
  valueObject,
  valueToMsgpack,
} from '@hykube/tfplugin/value'

/** Cost of encoding and decoding the state of a typical resource. */
export interface CodecRow {
  readonly bytes: number
  readonly encodeMicroseconds: number
  readonly decodeMicroseconds: number
}

export function measureValueCodec(): CodecRow {
  const { type, value } = ordinaryResource()
  const bytes = valueToMsgpack(value, type)
  return {
    bytes: bytes.length,
    encodeMicroseconds: timed(() => valueToMsgpack(value, type)),
    decodeMicroseconds: timed(() => valueFromMsgpack(bytes, type)),
  }
}

function timed(work: () => unknown): number {
  for (let i = 0; i < 20_000; i++) work()
  const rounds = 100_000
  const { user, system } = process.cpuUsage()
  for (let i = 0; i < rounds; i++) work()
  const used = process.cpuUsage()
  return Number(((used.user + used.system - user - system) / rounds).toFixed(2))
}

function ordinaryResource(): { readonly type: Type; readonly value: Value } {
  const rule = objectType({ from: numberType, to: numberType, protocol: stringType, cidrs: listType(stringType) })
  const names = ['id', 'arn', 'name', 'region', 'owner', 'image', 'key_name', 'subnet_id', 'vpc_id', 'zone']
  const texts = Object.fromEntries(names.map((name) => [name, stringType]))
  const type = objectType({
    ...texts,
    enabled: boolType,
    size: numberType,
    tags: mapType(stringType),
    rules: setType(rule),
  })
  const ruleOf = (port: number) =>
    valueObject({
      from: Decimal.fromInteger(port),
      to: Decimal.fromInteger(port),
      protocol: 'tcp',
      cidrs: ['10.0.0.0/8'],
    })
  return {
    type,
    value: valueObject({
      ...Object.fromEntries(names.map((name) => [name, `${name}-0123456789abcdef0`])),
      enabled: true,
      size: Decimal.fromInteger(100),
      tags: valueObject({ Name: 'web', team: 'platform', environment: 'production', 'cost-centre': '4711' }),
      rules: [ruleOf(22), ruleOf(443), ruleOf(8443)],
    }),
  }
}
