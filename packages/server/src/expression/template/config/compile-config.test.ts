import { JsonNumber, type JsonObject } from '@hykube/machinery/json'
import { impliedType } from '@hykube/tfplugin/schema'
import {
  attributeStep,
  boolType,
  Decimal,
  dynamicType,
  listType,
  mapType,
  numberType,
  objectType,
  pathToText,
  setType,
  stringType,
  Typed,
  tupleType,
  unknown,
  type Value,
  valueFromMsgpack,
  valueObject,
  valueToMsgpack,
} from '@hykube/tfplugin/value'
import { anyTypedValue } from '@hykube/tfplugin/value/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Meter } from '../../meter.ts'
import { referenceToText } from '../syntax/reference.ts'
import { attributeOf, blockOf, nestedBlockOf } from '../testing/schema.ts'
import { TableScope } from '../testing/table-scope.ts'
import { compileConfig, type EvaluatedConfig, evaluateConfig } from './compile-config.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))!

const rule = blockOf(
  [attributeOf('from', numberType, { required: true }), attributeOf('note', stringType)],
  [nestedBlockOf('port', 'list', blockOf([attributeOf('n', numberType)]))],
)
const block = blockOf(
  [
    attributeOf('name', stringType),
    attributeOf('size', numberType),
    attributeOf('on', boolType),
    attributeOf('tags', mapType(stringType)),
    attributeOf('zones', listType(stringType)),
    attributeOf('ports', setType(numberType)),
    attributeOf('point', objectType({ x: numberType, y: numberType })),
    attributeOf('points', listType(objectType({ at: mapType(objectType({ x: numberType, y: numberType })) }))),
    attributeOf('pair', tupleType([stringType, numberType])),
    attributeOf('any', dynamicType),
    attributeOf('arn', stringType, { computed: true }),
    attributeOf('disk', {
      kind: 'nested',
      nesting: 'single',
      attributes: [attributeOf('gb', numberType), attributeOf('kind', stringType)],
    }),
    attributeOf('disks', {
      kind: 'nested',
      nesting: 'set',
      attributes: [attributeOf('gb', numberType), attributeOf('kind', stringType)],
    }),
    attributeOf('nics', { kind: 'nested', nesting: 'map', attributes: [attributeOf('ip', stringType)] }),
  ],
  [
    nestedBlockOf('rule', 'list', rule, 0, 2),
    nestedBlockOf('grant', 'set', blockOf([attributeOf('to', stringType)])),
    nestedBlockOf('timeouts', 'single', blockOf([attributeOf('create', stringType)])),
    nestedBlockOf('meta', 'group', blockOf([attributeOf('a', stringType)])),
    nestedBlockOf('env', 'map', blockOf([attributeOf('v', stringType)])),
    nestedBlockOf('free', 'list', blockOf([attributeOf('v', dynamicType)])),
  ],
)

const scope = new TableScope(
  {
    'sim.a': {
      value: valueObject({
        id: 'i-1',
        n: decimal(7),
        later: unknown,
        password: 'hunter2',
        tags: valueObject({ a: 'x' }),
        rules: [valueObject({ from: decimal(1), note: 'one' }), valueObject({ from: decimal(2), note: null })],
        many: [1, 2, 3].map((from) => valueObject({ from: decimal(from) })),
        half: valueObject({ x: decimal(2) }),
        disks: [valueObject({ gb: decimal(2) }), valueObject({ gb: decimal(1) })],
      }),
      sensitive: [[attributeStep('password')]],
    },
  },
  { index: 4 },
)

function evaluate(spec: JsonObject): EvaluatedConfig {
  return compileConfig(block, spec).evaluate(scope, new Meter())
}

function attribute(name: string, json: JsonObject[string]): Value {
  const { value, problems } = evaluate({ [name]: json })
  expect(problems).toEqual([])
  return (value as Record<string, Value>)[name]!
}

function problemsOf(spec: JsonObject): string[] {
  return evaluate(spec).problems.map(({ path, message }) => `${pathToText(path)}: ${message}`)
}

describe('a configuration', () => {
  test('of an empty spec has null attributes and empty blocks', () => {
    const { value, problems, sensitive } = evaluate({})
    expect(problems).toEqual([])
    expect(sensitive).toEqual([])
    expect(value).toMatchObject({ name: null, size: null, disk: null, rule: [], grant: [], timeouts: null })
    expect(value).toMatchObject({ meta: { a: null }, env: {}, free: new Typed(tupleType([]), []) })
    expectOfType(value)
  })

  test.each<[string, JsonObject[string], Value]>([
    ['name', 'plain', 'plain'],
    ['name', 5, '5'],
    ['name', true, 'true'],
    ['name', 'a ${sim.a.id} $${b}', 'a i-1 ${b}'],
    ['name', '$${sim.a.id}', '${sim.a.id}'],
    ['name', null, null],
    ['size', 5, decimal(5)],
    ['size', 0.1, decimal('0.1')],
    ['size', '12345678901234567890.5', decimal('12345678901234567890.5')],
    ['size', new JsonNumber('12345678901234567890123'), decimal('12345678901234567890123')],
    ['size', '${sim.a.n + count.index}', decimal(11)],
    ['on', 'true', true],
    ['on', '${sim.a.n > 3}', true],
    ['tags', { a: 'b', c: '${sim.a.id}' }, valueObject({ a: 'b', c: 'i-1' })],
    ['tags', '${sim.a.tags}', valueObject({ a: 'x' })],
    ['tags', { __proto__: 'x' } as unknown as JsonObject, valueObject({})],
    ['zones', ['a', '${sim.a.id}', null], ['a', 'i-1', null]],
    ['zones', ['a', '${sim.a.later}'], ['a', unknown]],
    ['zones', [], []],
    ['ports', [3, '1', 3, '${sim.a.n}', 2], [1, 2, 3, 7].map(decimal)],
    ['point', { x: 1 }, valueObject({ x: decimal(1), y: null })],
    ['point', '${sim.a.half}', valueObject({ x: decimal(2), y: null })],
    [
      'points',
      [{ at: { a: {} } }, {}],
      [valueObject({ at: valueObject({ a: valueObject({ x: null, y: null }) }) }), valueObject({ at: null })],
    ],
    [
      'points',
      '${[{"at": {"a": {"x": 1}}}]}',
      [valueObject({ at: valueObject({ a: valueObject({ x: decimal(1), y: null }) }) })],
    ],
    ['point', { x: 1, y: '${count.index}' }, valueObject({ x: decimal(1), y: decimal(4) })],
    ['pair', ['a', 1], ['a', decimal(1)]],
    ['any', 'text', new Typed(stringType, 'text')],
    ['any', 5, new Typed(numberType, decimal(5))],
    ['any', ['a', 1], new Typed(tupleType([stringType, numberType]), ['a', decimal(1)])],
    [
      'any',
      { a: ['${sim.a.n}'] },
      new Typed(objectType({ a: tupleType([numberType]) }), valueObject({ a: [decimal(7)] })),
    ],
    ['any', '${sim.a.n}', new Typed(numberType, decimal(7))],
    ['any', '${sim.a.later}', unknown],
    ['any', { $type: ['list', 'number'], $value: ['1', 2] }, new Typed(listType(numberType), [decimal(1), decimal(2)])],
    ['any', { $type: 'string', $value: '${sim.a.n}' }, new Typed(stringType, '7')],
    ['any', { $type: 'string', $value: null }, null],
    ['disk', { gb: 1 }, valueObject({ gb: decimal(1), kind: null })],
    ['disk', '${sim.a.disks[0]}', valueObject({ gb: decimal(2), kind: null })],
    ['disks', [{ gb: 2 }, { gb: 1 }, { gb: 2 }], [1, 2].map((gb) => valueObject({ gb: decimal(gb), kind: null }))],
    ['disks', '${sim.a.disks}', [1, 2].map((gb) => valueObject({ gb: decimal(gb), kind: null }))],
    ['nics', { a: { ip: '${sim.a.id}' } }, valueObject({ a: valueObject({ ip: 'i-1' }) })],
    ['rule', [{ from: 1 }], [valueObject({ from: decimal(1), note: null, port: [] })]],
    ['rule', { from: 1 }, [valueObject({ from: decimal(1), note: null, port: [] })]],
    [
      'rule',
      '${sim.a.rules}',
      [
        valueObject({ from: decimal(1), note: 'one', port: [] }),
        valueObject({ from: decimal(2), note: null, port: [] }),
      ],
    ],
    ['rule', '${sim.a.later}', unknown],
    ['rule', '${null}', []],
    ['rule', ['${sim.a.rules[0]}'], [valueObject({ from: decimal(1), note: 'one', port: [] })]],
    [
      'grant',
      [{ to: 'b' }, { to: '${sim.a.id}' }, { to: 'b' }],
      [valueObject({ to: 'b' }), valueObject({ to: 'i-1' })],
    ],
    ['timeouts', { create: '5m' }, valueObject({ create: '5m' })],
    ['meta', {}, valueObject({ a: null })],
    ['env', { x: { v: '${sim.a.id}' } }, valueObject({ x: valueObject({ v: 'i-1' }) })],
    [
      'free',
      [{ v: 1 }, { v: 'a' }],
      new Typed(tupleType([objectType({ v: numberType }), objectType({ v: stringType })]), [
        valueObject({ v: decimal(1) }),
        valueObject({ v: 'a' }),
      ]),
    ],
  ])('%s: %j', (name, json, expected) => {
    expect(attribute(name, json)).toEqual(expected)
    expectOfType(evaluate({ [name]: json }).value)
  })

  test('ignores meta-arguments', () => {
    expect(evaluate({ count: 3, for_each: {}, provider: 'x', depends_on: [], lifecycle: {} }).problems).toEqual([])
    expect(problemsOf({ rule: [{ from: 1, count: 2 }] })).toEqual(['rule[0].count: there is no attribute "count"'])
  })

  test.each<[JsonObject, string]>([
    [{ nmae: 'x' }, 'nmae: there is no attribute "nmae"; did you mean "name"?'],
    [{ name: ['x'] }, 'name: string is expected here, not a list'],
    [{ size: 'many' }, 'size: a number is required, not this text'],
    [{ size: true }, 'size: a number is required, not a bool'],
    [{ zones: 'a' }, 'zones: list(string) is required, not this text'],
    [{ zones: { a: 1 } }, 'zones: list(string) is expected here, not an object'],
    [{ zones: ['a', ['b']] }, 'zones[1]: string is expected here, not a list'],
    [{ tags: { a: {} } }, 'tags["a"]: string is expected here, not an object'],
    [{ point: { x: 1, y: 2, z: 3 } }, 'point.z: there is no attribute "z"; did you mean "x"?'],
    [{ pair: ['a'] }, 'pair: 2 elements are expected here, not 1'],
    [{ any: { $type: 'strange', $value: 1 } }, 'any: $type: "strange" is not a type'],
    [{ arn: 'x' }, 'arn: the attribute is set by the provider and read-only'],
    [{ disk: { gbs: 1 } }, 'disk.gbs: there is no attribute "gbs"; did you mean "gb"?'],
    [{ rule: [{}] }, 'rule[0].from: the attribute is required'],
    [{ rule: [{ from: 1 }, { from: 2 }, { from: 3 }] }, 'rule: at most 2 rule may be set, not 3'],
    [{ rule: '${sim.a.many}' }, 'rule: at most 2 rule may be set, not 3'],
    [{ rule: '${[null]}' }, "rule: a block can't be null"],
    [{ rule: [5] }, 'rule[0]: a block is expected here, not a number'],
    [{ rule: 5 }, 'is expected here, not a number'],
    [{ name: '${sim.a.nope' }, 'name: the expression is not terminated: a } is missing (at character 1)'],
    [{ name: '${sim.b.id}' }, 'name: ${sim.b.id}: sim.b.id: there is no such object'],
    [{ size: '${sim.a.id}' }, 'size: ${sim.a.id}: number is expected here, not a string'],
    [{ rule: [{ from: '${sim.a.tags}' }] }, 'rule[0].from: ${sim.a.tags}: number is expected here, not a map'],
    [{ name: '${lists.range(1000).map(a, lists.range(1000))}' }, 'exceeds the cost limit'],
  ])('%j has a problem', (spec, problem) => {
    expect(problemsOf(spec).join('\n')).toContain(problem)
  })

  test('lists sensitive paths; inside a set, the set', () => {
    const { sensitive } = evaluate({
      name: '${sim.a.password}',
      tags: { a: 'b', p: '${sim.a.password}' },
      ports: ['${size(sim.a.password)}'],
      rule: [{ from: 1, note: '${sim.a.password}' }],
      grant: [{ to: 'a' }, { to: '${sim.a.password}' }],
    })
    expect(sensitive.map(pathToText)).toEqual(['name', 'tags["p"]', 'ports', 'rule[0].note', 'grant'])
  })

  test('lists each reference once', () => {
    const config = compileConfig(block, {
      name: '${sim.a.id}-${sim.a.n}',
      tags: { x: '${sim.a.id}' },
      count: '${sim.c.d}',
    })
    expect(config.references.map(referenceToText)).toEqual(['sim.a.id', 'sim.a.n'])
  })

  test('is type-checked against its references', () => {
    const types = new TableScope({ 'sim.a': { type: objectType({ id: stringType, list: listType(stringType) }) } })
    const config = compileConfig(block, {
      name: '${sim.a.list}',
      size: '${sim.a.id}',
      rule: [{ from: '${sim.a.idd}' }],
    })
    expect(config.check(types).map(({ path, message }) => `${pathToText(path)}: ${message}`)).toEqual([
      'name: ${sim.a.list} is list(string), but string is expected here (at character 3)',
      'rule[0].from: sim.a.idd: there is no attribute "idd"; did you mean "id"? (at character 3)',
    ])
  })

  test('shares constant parts between instances', () => {
    const config = compileConfig(block, { name: '${count.index}', tags: { a: 'b' }, rule: [{ from: 1 }] })
    const first = config.evaluate(scope, new Meter()).value as Record<string, Value>
    const second = config.evaluate(scope, new Meter()).value as Record<string, Value>
    expect(first).not.toBe(second)
    expect(first.tags).toBe(second.tags)
    expect(first.rule).toBe(second.rule)
    const constant = compileConfig(block, { name: 'x' })
    expect(constant.evaluate(scope, new Meter()).value).toBe(constant.evaluate(scope, new Meter()).value)
  })

  test('is compiled once for the same spec', () => {
    const spec = { name: '${sim.a.id}' }
    const before = scope.lookups
    evaluateConfig(block, spec, scope, new Meter())
    expect(evaluateConfig(block, spec, scope, new Meter()).value).toMatchObject({ name: 'i-1' })
    expect(scope.lookups - before).toBe(2)
  })

  test('of random JSON is a value of its type, or has problems', () => {
    const text = fc.constantFrom(
      ...[
        'a',
        '5',
        'true',
        '',
        '${sim.a.id}',
        '${sim.a.later}',
        '${sim.a.n}',
        '${sim.a.rules}',
        '${sim.a.disks}',
        '$${x}',
      ],
      ...['${sim.a.password}', '${null}', '${[1, "a"]}', '${{"from": 1}}', '${', 'x${sim.a.n}', '${[]}', '${[null]}'],
    )
    const number = fc.oneof(fc.double(), fc.integer(), fc.constant(new JsonNumber('12345678901234567890123')))
    const name = fc.oneof(
      fc.constantFrom(
        'gb',
        'kind',
        'ip',
        'from',
        'note',
        'port',
        'n',
        'to',
        'create',
        'a',
        'v',
        'x',
        'y',
        '$type',
        '$value',
      ),
      fc.string(),
    )
    const json = fc.letrec<{ any: JsonObject[string] }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.oneof(number, fc.boolean(), fc.constant(null)) as fc.Arbitrary<JsonObject[string]>,
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(name, tie('any'), { maxKeys: 3 }),
      ),
    })).any
    const names = [...block.attributes, ...block.blocks].map((each) => each.name)
    const spec = fc.dictionary(fc.constantFrom(...names), json, { minKeys: 1, maxKeys: 4 })
    fc.assert(
      fc.property(spec, (given) => {
        const { value, problems } = evaluate(given)
        if (problems.length === 0) expectOfType(value)
      }),
      { numRuns: 3000 },
    )
  })

  test('passes any referenced value through unchanged', () => {
    fc.assert(
      fc.property(anyTypedValue(true), ({ type, value }) => {
        const one = blockOf([attributeOf('a', type)])
        const table = new TableScope({ 'sim.x': { value: valueObject({ v: value }) } })
        const result = compileConfig(one, { a: '${sim.x.v}' }).evaluate(table, new Meter())
        expect(result.problems).toEqual([])
        expect((result.value as Record<string, Value>).a).toEqual(value)
      }),
    )
  })
})

// A value that conforms to the type survives encoding for the provider protocol.
function expectOfType(value: Value): void {
  const type = impliedType(block)
  expect(valueFromMsgpack(valueToMsgpack(value, type), type)).toEqual(value)
}
