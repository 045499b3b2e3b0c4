import { JsonNumber, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  boolType,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  tupleType,
} from '@hykube/tfplugin/value'
import { describe, expect, it } from 'vitest'
import { plainTemplates } from '../../testing/plain-templates.ts'
import { blockIn, blockOf, nested, plain } from '../../testing/schema-builder.ts'
import type { KindMode } from '../kind-names.ts'
import { Structures } from '../structures.ts'
import { KindCheck } from './kind-check.ts'

const optional = { optional: true }
const rule = blockOf([
  plain('days', numberType, { required: true }),
  plain('action', stringType),
  plain('token', stringType, { optional: true, sensitive: true }),
  plain('old', stringType, { optional: true, deprecated: true, deprecationMessage: 'use `action`' }),
  plain('made', stringType, { computed: true }),
])
const block = blockOf(
  [
    plain('id', stringType, { computed: true }),
    plain('cidr_block', stringType, { required: true }),
    plain('size', numberType),
    plain('public', boolType),
    plain('zone', stringType, { optional: true, computed: true }),
    plain('names', listType(stringType)),
    plain('ports', setType(numberType)),
    plain('tags', mapType(stringType)),
    plain('limits', objectType({ cpu: numberType, memory: stringType })),
    plain('quotas', mapType(objectType({ of: objectType({ max: numberType }), to: stringType }))),
    plain('pairs', listType(objectType({ a: stringType, b: stringType }))),
    plain('pair', tupleType([stringType, numberType])),
    plain('anything', dynamicType),
    plain('password', stringType, { optional: true, sensitive: true }),
    plain('once', stringType, { optional: true, writeOnly: true, sensitive: true }),
    plain('once_map', mapType(stringType), { optional: true, writeOnly: true }),
    nested('network', 'single', [plain('mtu', numberType, { required: true }), plain('mac', stringType, optional)]),
    nested('disks', 'map', [plain('size', numberType, { required: true })]),
  ],
  [
    blockIn('rules', 'list', rule, { maxItems: 2 }),
    blockIn('keys', 'set', blockOf([plain('key', stringType, { required: true })])),
    blockIn('timeouts', 'single', blockOf([plain('create', stringType)])),
  ],
)

const structures = new Structures()
const inspect = (spec: JsonValue | undefined, mode: KindMode = 'managed') =>
  new KindCheck(mode, () => structures.ofBlock(block), plainTemplates).inspect(spec)

const told = (more: JsonObject, mode?: KindMode) =>
  inspect({ cidr_block: '10.0.0.0/8', ...more }, mode).causes.map(({ field, message }) => `${field}: ${message}`)

describe('valid specs', () => {
  it.each<[string, JsonObject]>([
    ['nothing but what is required', {}],
    ['numbers', { size: 3 }],
    ['decimal texts as numbers', { size: '12345678901234567890.5' }],
    ['numbers that no double holds', { size: new JsonNumber('12345678901234567890') }],
    ['null for what is not given', { size: null, names: null, network: null, rules: null, timeouts: null }],
    ['null in a collection', { names: ['a', null], tags: { a: null } }],
    ['text with expressions', { zone: 'a-${b.c}-d' }],
    ['an escaped expression', { zone: '$${b' }],
    ['lists, sets and maps', { names: ['a', 'a'], ports: [1, '2'], tags: { 'a/b': 'c' } }],
    ['objects without some members', { limits: { cpu: 1 } }],
    ['lists and maps of objects without some members', { pairs: [{ a: 'x' }, {}], quotas: { a: { of: {} }, b: {} } }],
    ['tuples', { pair: ['a', 1] }],
    ['anything', { anything: { a: [1, true, { b: '${c}' }] } }],
    ['nested attributes and blocks', { network: { mtu: 1 }, disks: { a: { size: 1 } }, rules: [{ days: 1 }] }],
    ['a secret for what is never kept', { once: '${secret["a"].b}', once_map: { a: 'x-${secret["a"].b}' } }],
    ['the names that are no attributes', { count: 3, provider: 'west', depends_on: ['a_b.c', 'data.a_b["n/m"]'] }],
    ['keys for instances', { for_each: { a: 1, b: { c: 'd' } } }],
    ['names of instances', { for_each: ['a', 'b-${c}'] }],
    [
      'how it is managed',
      {
        lifecycle: {
          create_before_destroy: true,
          prevent_destroy: false,
          destroy: true,
          sync: 'Manual',
          ignore_changes: ['tags["a"]', 'rules[0].days', 'network.mtu', 'anything.x[0]', 'id'],
          replace_triggered_by: ['a_b.c', 'a_b.c[1].id'],
        },
      },
    ],
    ['ignoring everything', { lifecycle: { ignore_changes: 'all' } }],
  ])('%s', (_, more) => {
    expect(told(more)).toEqual([])
  })

  it.each(['size', 'public', 'names', 'ports', 'tags', 'limits', 'pairs', 'pair', 'network', 'disks'])(
    'a whole expression in place of %s',
    (name) => {
      expect(told({ [name]: '${a.b}' })).toEqual([])
    },
  )

  it.each<[JsonObject]>([
    [{ rules: '${a.b}' }],
    [{ rules: ['${a.b}', { days: '${c}' }] }],
    [{ keys: '${a.b}' }],
    [{ timeouts: '${a.b}' }],
    [{ disks: { a: '${b}' } }],
    [{ ports: ['${a}', 1] }],
    [{ count: '${a}' }],
    [{ for_each: '${a}' }],
  ])('a whole expression inside: %j', (more) => {
    expect(told(more)).toEqual([])
  })
})

describe('invalid specs', () => {
  it.each<[JsonObject, string]>([
    [{ size: 'many' }, 'spec.size: Invalid value: "string": spec.size in body must be of type number: "string"'],
    [{ size: true }, 'spec.size: Invalid value: "boolean": spec.size in body must be of type number: "boolean"'],
    [
      { size: 'a${b}' },
      'spec.size: Invalid value: "a${b}": must be a single expression without text around it, because the type is not string',
    ],
    [{ size: '${!a}' }, 'spec.size: Invalid value: "${!a}": the expression is wrong'],
    [{ public: 'true' }, 'spec.public: Invalid value: "string": spec.public in body must be of type boolean: "string"'],
    [{ public: 1 }, 'spec.public: Invalid value: "integer": spec.public in body must be of type boolean: "integer"'],
    [{ zone: 1.5 }, 'spec.zone: Invalid value: "number": spec.zone in body must be of type string: "number"'],
    [{ zone: '${a' }, 'spec.zone: Invalid value: "${a": an expression does not end'],
    [{ names: { a: 'b' } }, 'spec.names: Invalid value: "object": spec.names in body must be of type array: "object"'],
    [
      { names: [1] },
      'spec.names[0]: Invalid value: "integer": spec.names[0] in body must be of type string: "integer"',
    ],
    [{ ports: [1, '1.0'] }, 'spec.ports[1]: Duplicate value: "1.0"'],
    [{ tags: ['a'] }, 'spec.tags: Invalid value: "array": spec.tags in body must be of type object: "array"'],
    [
      { tags: { a: {} } },
      'spec.tags[a]: Invalid value: "object": spec.tags[a] in body must be of type string: "object"',
    ],
    [{ tags: { 'a${b}': 'c' } }, 'spec.tags[a${b}]: Invalid value: "a${b}": a key must not contain an expression'],
    [{ limits: { cpu: 1, disk: 2 } }, 'spec.limits.disk: Forbidden: unknown field'],
    [{ quotas: { a: { of: { mx: 1 } } } }, 'spec.quotas[a].of.mx: Forbidden: unknown field, did you mean "max"?'],
    [{ pair: ['a'] }, 'spec.pair: Invalid value: 1: spec.pair in body should have 2 items'],
    [{ anything: { a: ['${b'] } }, 'spec.anything[a][0]: Invalid value: "${b": an expression does not end'],
    [{ network: { mac: 'a' } }, 'spec.network.mtu: Required value'],
    [
      { disks: { a: { size: 'x' } } },
      'spec.disks[a].size: Invalid value: "string": spec.disks[a].size in body must be of type number: "string"',
    ],
    [{ rules: {} }, 'spec.rules: Invalid value: "object": spec.rules in body must be of type array: "object"'],
    [
      { rules: [{ days: 'x' }] },
      'spec.rules[0].days: Invalid value: "string": spec.rules[0].days in body must be of type number: "string"',
    ],
    [{ rules: [null] }, 'spec.rules[0]: Invalid value: "null": spec.rules[0] in body must be of type object: "null"'],
    [{ rules: [{ days: 1 }, { days: 2 }, { days: 3 }] }, 'spec.rules: Too many: 3: must have at most 2 items'],
    [{ keys: [{ key: 'a' }, { key: 'b', ky: 'b' }] }, 'spec.keys[1].ky: Forbidden: unknown field, did you mean "key"?'],
    [{ id: 'a' }, 'spec.id: Forbidden: is set by the provider and read-only'],
    [{ rules: [{ days: 1, made: 'a' }] }, 'spec.rules[0].made: Forbidden: is set by the provider and read-only'],
    [{ cidr: 'a' }, 'spec.cidr: Forbidden: unknown field, did you mean "cidr_block"?'],
    [{ constructor: 'a' }, 'spec.constructor: Forbidden: unknown field'],
    [{ count: -1 }, 'spec.count: Invalid value: -1: spec.count in body should be greater than or equal to 0'],
    [{ count: 1.5 }, 'spec.count: Invalid value: "number": spec.count in body must be of type integer: "number"'],
    [{ count: '3' }, 'spec.count: Invalid value: "string": spec.count in body must be of type integer: "string"'],
    [
      { count: 1e9 },
      'spec.count: Invalid value: 1000000000: spec.count in body should be less than or equal to 1000000',
    ],
    [
      { for_each: 3 },
      'spec.for_each: Invalid value: "integer": spec.for_each in body must be of type object or array: "integer"',
    ],
    [{ for_each: ['a', 'a'] }, 'spec.for_each[1]: Duplicate value: "a"'],
    [
      { for_each: [1] },
      'spec.for_each[0]: Invalid value: "integer": spec.for_each[0] in body must be of type string: "integer"',
    ],
    [{ count: 1, for_each: {} }, 'spec.for_each: Forbidden: may not be specified when `count` is'],
    [
      { provider: 3 },
      'spec.provider: Invalid value: "integer": spec.provider in body must be of type string: "integer"',
    ],
    [
      { depends_on: ['vpc'] },
      'spec.depends_on[0]: Invalid value: "vpc": must be the address of a resource, such as aws_vpc.main or data.aws_ami["my-ami"]',
    ],
    [
      { depends_on: 'a_b.c' },
      'spec.depends_on: Invalid value: "string": spec.depends_on in body must be of type array: "string"',
    ],
    [
      { lifecycle: { prevent_destory: true } },
      'spec.lifecycle.prevent_destory: Forbidden: unknown field, did you mean "prevent_destroy"?',
    ],
    [
      { lifecycle: { destroy: '${a}' } },
      'spec.lifecycle.destroy: Invalid value: "string": spec.lifecycle.destroy in body must be of type boolean: "string"',
    ],
    [
      { lifecycle: { sync: 'Reconcile' } },
      'spec.lifecycle.sync: Unsupported value: "Reconcile": supported values: "Manual", "Detect"',
    ],
    [
      { lifecycle: { ignore_changes: ['tag'] } },
      'spec.lifecycle.ignore_changes[0]: Invalid value: "tag": there is no "tag" in the schema',
    ],
    [
      { lifecycle: { ignore_changes: ['rules[0].dayz'] } },
      'spec.lifecycle.ignore_changes[0]: Invalid value: "rules[0].dayz": there is no "rules.0.dayz" in the schema',
    ],
    [
      { lifecycle: { ignore_changes: 'tags' } },
      'spec.lifecycle.ignore_changes: Invalid value: "tags": must be a list of attributes, or "all"',
    ],
    [
      { lifecycle: { replace_triggered_by: ['x'] } },
      'spec.lifecycle.replace_triggered_by[0]: Invalid value: "x": must be the address of a resource or of one of its attributes, such as aws_vpc.main.id',
    ],
  ])('%j', (more, message) => {
    expect(told(more)).toEqual([message])
  })

  it('are reported with all their errors', () => {
    expect(told({ cidr_block: null, size: 'x', names: 3 })).toHaveLength(3)
  })

  it.each([[undefined], [null], [{}]])('include a spec of %j without required attributes', (spec) => {
    expect(inspect(spec).causes).toEqual([
      { reason: 'FieldValueRequired', field: 'spec.cidr_block', message: 'Required value' },
    ])
  })

  it('include a spec that is not an object', () => {
    expect(inspect('x').causes.map(({ field }) => field)).toEqual(['spec'])
  })

  it('include a lifecycle of a data source', () => {
    expect(told({ lifecycle: {} }, 'data')).toEqual(['spec.lifecycle: Forbidden: unknown field'])
    expect(told({ count: 1, provider: 'a', depends_on: [] }, 'data')).toEqual([])
  })
})

describe('unknown fields', () => {
  it('are reported separately, with a suggestion', () => {
    const { unknownFields, hints } = inspect({ cidr: 'a', size: 'x', rules: [{ days: 1, xyz: 2 }] })
    expect(unknownFields).toEqual(['spec.cidr', 'spec.rules[0].xyz'])
    expect([...hints]).toEqual([['spec.cidr', 'did you mean "cidr_block"?']])
  })

  it('are reported without their values, which may be secrets', () => {
    expect(JSON.stringify(inspect({ pasword: 'hunter2' }).causes)).not.toContain('hunter2')
  })
})

describe('secrets', () => {
  it.each<[string, JsonObject, string]>([
    ['text', { once: 'hunter2' }, 'spec.once'],
    ['text inside', { once_map: { a: 'hunter2' } }, 'spec.once_map[a]'],
  ])('that are never kept are refused as written-out %s', (_, more, field) => {
    const { causes } = inspect({ cidr_block: 'a', ...more })
    expect(causes).toMatchObject([{ reason: 'FieldValueForbidden', field }])
    expect(causes[0]!.message).toContain('${secret["name"].key}')
    expect(JSON.stringify(causes)).not.toContain('hunter2')
  })

  it('get a warning for literal values, once for each attribute', () => {
    const rules = [
      { days: 1, token: 'hunter2' },
      { days: 2, token: 'hunter3' },
    ]
    const { causes, warnings } = inspect({ cidr_block: 'a', password: 'hunter2', rules })
    expect(causes).toEqual([])
    expect(warnings).toEqual([
      'spec.password is sensitive, and this object stores it in plain text; use a Secret, such as ${secret["name"].key}',
      'spec.rules[0].token is sensitive, and this object stores it in plain text; use a Secret, such as ${secret["name"].key}',
    ])
  })

  it('get no warning for expressions', () => {
    expect(inspect({ cidr_block: 'a', password: '${secret["a"].b}' }).warnings).toEqual([])
  })

  it('are not shown in errors', () => {
    expect(JSON.stringify(inspect({ password: 'hunter2${a' }).causes)).not.toContain('hunter2')
  })
})

it('deprecated attributes get a warning, once each', () => {
  const rules = [
    { days: 1, old: 'a' },
    { days: 1, old: '${b}' },
  ]
  expect(inspect({ cidr_block: 'a', rules }).warnings).toEqual(['spec.rules[0].old is deprecated: use `action`'])
})
