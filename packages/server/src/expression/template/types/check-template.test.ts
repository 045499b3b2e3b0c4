import {
  boolType,
  Decimal,
  dynamicType,
  equalValues,
  isList,
  isUnknown,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
  tupleType,
  typeOf,
  typeToText,
  unknown,
  type Value,
  valueObject,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Meter } from '../../meter.ts'
import { compileTemplate } from '../evaluate/compile-template.ts'
import { TableScope } from '../testing/table-scope.ts'
import { checkCompiled } from './check-template.ts'
import { exprType } from './expr-type.ts'
import { canConvert } from './type-relations.ts'
import type { TypeScope } from './type-scope.ts'

const vpc = objectType({
  id: stringType,
  cidr_block: stringType,
  size: numberType,
  on: boolType,
  tags: mapType(stringType),
  zones: listType(stringType),
  ports: setType(numberType),
  rules: listType(objectType({ from: numberType, note: stringType })),
  anything: dynamicType,
  pair: tupleType([stringType, numberType]),
})
const ruleType = objectType({ from: numberType, note: stringType })
const scope = new TableScope(
  { 'aws_vpc.main': { type: vpc }, 'aws_vpc.web': { type: vpc } },
  { each: { key: 'a', value: null, type: objectType({ cidr: stringType }) } },
)

function messages(text: string, expected: Type = dynamicType): string[] {
  return checkCompiled(compileTemplate(text), expected, scope).map(({ message }) => message)
}

/** The inferred type of a template that is a single expression. */
function typeOfWhole(text: string, types: TypeScope): Type {
  return exprType(compileTemplate(text).exprs[0]!, types, () => {})
}

describe('the type of an expression', () => {
  test.each<[string, Type]>([
    ['${aws_vpc.main.id}', stringType],
    ['${aws_vpc.main.tags.a}', stringType],
    ['${aws_vpc.main.rules[0].from}', numberType],
    ['${aws_vpc.main.rules[count.index].from}', numberType],
    ['${aws_vpc.main.rules[*].from}', listType(numberType)],
    ['${aws_vpc.web[*].id}', listType(stringType)],
    ['${aws_vpc.web[*].rules[*].from}', listType(listType(numberType))],
    ['${aws_vpc.web[3].size}', numberType],
    ['${aws_vpc.main.pair[1]}', numberType],
    ['${aws_vpc.nope.id}', dynamicType],
    ['${aws_vpc.main.anything.x.y}', dynamicType],
    ['${secret["a"].b}', stringType],
    ['${count.index}', numberType],
    ['${each.key}', stringType],
    ['${each.value.cidr}', stringType],
    ['${aws_vpc.main.size + 1}', numberType],
    ['${aws_vpc.main.id + "x"}', stringType],
    ['${aws_vpc.main.zones + ["x"]}', listType(stringType)],
    ['${aws_vpc.main.size > 1 && aws_vpc.main.on}', boolType],
    ['${aws_vpc.main.on ? 1 : 2}', numberType],
    ['${aws_vpc.main.on ? 1 : "a"}', dynamicType],
    ['${aws_vpc.main.zones.map(z, size(z))}', listType(numberType)],
    ['${aws_vpc.main.zones.filter(z, z != "a")}', listType(stringType)],
    ['${aws_vpc.main.zones.exists(z, z != "a")}', boolType],
    ['${aws_vpc.main.tags.transformMap(k, v, size(v))}', mapType(numberType)],
    ['${aws_vpc.main.tags.map(k, k)}', listType(stringType)],
    ['${cel.bind(x, aws_vpc.main.size, x * x)}', numberType],
    ['${aws_vpc.main.id.split("-")}', listType(stringType)],
    ['${aws_vpc.main.id.matches("x")}', boolType],
    ['${aws_vpc.main.zones.join(",")}', stringType],
    ['${size(aws_vpc.main.rules)}', numberType],
    ['${string(aws_vpc.main.size)}', stringType],
    ['${{"a": 1}}', objectType({ a: numberType })],
    ['${[1, "a"]}', tupleType([numberType, stringType])],
    ['${has(aws_vpc.main.id)}', boolType],
    ['${-aws_vpc.main.size}', numberType],
  ])('%s', (text, expected) => {
    expect(messages(text)).toEqual([])
    expect(typeToText(typeOfWhole(text, scope))).toBe(typeToText(expected))
  })
})

describe('a template for an expected type', () => {
  test.each<[string, Type]>([
    ['${aws_vpc.main.id}', stringType],
    ['${aws_vpc.main.size}', stringType],
    ['${aws_vpc.main.id}', numberType],
    ['${aws_vpc.main.id}', boolType],
    ['${aws_vpc.main.zones}', setType(stringType)],
    ['${aws_vpc.main.ports}', listType(stringType)],
    ['${[1, "2"]}', listType(numberType)],
    ['${{"a": 1, "b": true}}', mapType(stringType)],
    ['${aws_vpc.main.rules[0]}', objectType({ from: stringType })],
    ['${aws_vpc.later.whatever}', numberType],
    ['x${aws_vpc.main.on}', stringType],
    ['1${aws_vpc.main.size}', numberType],
  ])('%s is accepted for %j', (text, expected) => {
    expect(messages(text, expected)).toEqual([])
  })

  test.each<[string, Type, string]>([
    ['${aws_vpc.main.tags}', stringType, '${aws_vpc.main.tags} is map(string), but string is expected here'],
    ['${aws_vpc.main.on}', numberType, 'is bool, but number is expected'],
    ['${aws_vpc.main.size}', boolType, 'is number, but bool is expected'],
    ['${aws_vpc.main.id}', listType(stringType), 'is string, but list(string) is expected'],
    ['${aws_vpc.main.rules}', listType(stringType), 'but list(string) is expected'],
    [
      'x${aws_vpc.main.zones}',
      stringType,
      '${aws_vpc.main.zones} is list(string), but string is required inside a string',
    ],
    ['x${aws_vpc.main.id}', listType(stringType), 'this is a string, but list(string) is expected'],
    ['${aws_vpc.main.cidr_blok}', stringType, 'there is no attribute "cidr_blok"; did you mean "cidr_block"?'],
    ['${aws_vpc.main.xyzzy}', stringType, 'aws_vpc.main.xyzzy: there is no attribute "xyzzy"'],
    ['${has(aws_vpc.main.cidr_blok)}', stringType, 'did you mean "cidr_block"?'],
    ['${aws_vpc.main.rules.from}', stringType, 'select one element with [0].from, or all with [*].from'],
    ['${aws_vpc.main.id.x}', stringType, 'a string has no attributes or elements'],
    ['${aws_vpc.main.pair[2]}', stringType, 'out of range of 2 elements'],
    ['${aws_vpc.main.rules[*].nope}', stringType, 'there is no attribute "nope"'],
    ['${aws_vpc.main.rules.map(r, r.form)}', stringType, 'did you mean "from"?'],
    ['${each.value.cird}', stringType, 'there is no attribute "cird"'],
    ['${aws_vpc.main.id + 5}', stringType, "+ can't be used between string and number; convert with string()"],
    ['${aws_vpc.main.tags - 1}', dynamicType, "- can't be used between map(string) and number"],
    ['${aws_vpc.main.id < 5}', dynamicType, "< can't be used between string and number"],
    ['${aws_vpc.main.id ? 1 : 2}', dynamicType, 'a condition must be a bool, not string'],
    ['${aws_vpc.main.zones.filter(z, z)}', dynamicType, 'a condition must be a bool'],
    ['${aws_vpc.main.size.map(z, z)}', dynamicType, 'a macro iterates over a list or a map, not over number'],
    ['${aws_vpc.main.size.startsWith("a")}', dynamicType, 'there is no function number.startsWith(string)'],
    ['${aws_vpc.main.zones.startsWith("a")}', dynamicType, 'there is no function list(string).startsWith(string)'],
    ['${1 in aws_vpc.main.id}', dynamicType, "in can't be used between number and string"],
    ['${-aws_vpc.main.id}', dynamicType, "- can't be applied to string"],
    ['${{"form": 1}}', ruleType, 'there is no attribute "form"; did you mean "from"?'],
    ['${[{"form": 1}]}', listType(ruleType), 'there is no attribute "form"; did you mean "from"?'],
    ['${{"a": {"form": 1}}}', mapType(ruleType), 'there is no attribute "form"; did you mean "from"?'],
    ['${aws_vpc.main.on ? {"from": 1} : {"form": 1}}', ruleType, 'there is no attribute "form"'],
    ['${aws_vpc.main.zones.map(z, {"form": 1})}', listType(ruleType), 'there is no attribute "form"'],
    ['${{"note": "x"}}', objectType({ from: numberType, note: stringType }, ['from']), 'is expected here'],
  ])('%s is refused', (text, expected, message) => {
    expect(messages(text, expected).join('\n')).toContain(message)
  })

  test('reports each error once, with its position', () => {
    const text = 'a ${aws_vpc.main.id} ${aws_vpc.main.idd}'
    expect(checkCompiled(compileTemplate(text), stringType, scope)).toEqual([
      { message: expect.stringContaining('did you mean "id"?') as string, position: text.lastIndexOf('aws_vpc') },
    ])
  })
})

// Random expressions over values of every type.
const numeric = fc.letrec<{ n: string; s: string; l: string; b: string }>((tie) => ({
  n: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('1', '2.5', 'x_y.z.n', 'x_y.z.list.size()'),
    fc.tuple(tie('n'), fc.constantFrom('+', '-', '*'), tie('n')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    tie('s').map((s) => `size(${s})`),
    fc.tuple(tie('b'), tie('n'), tie('n')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
  ),
  s: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('"a"', 'x_y.z.s', 'x_y.z.map.k'),
    fc.tuple(tie('s'), tie('s')).map(([a, b]) => `(${a} + ${b})`),
    tie('n').map((n) => `string(${n})`),
    tie('l').map((l) => `${l}.join(",")`),
  ),
  l: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('x_y.z.list', '["p", "q"]', 'x_y.z.map.map(k, k)'),
    fc.tuple(tie('l'), tie('l')).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie('l'), tie('s')).map(([l, s]) => `${l}.map(e, e + ${s})`),
    fc.tuple(tie('l'), tie('s')).map(([l, s]) => `${l}.filter(e, e != ${s})`),
  ),
  b: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('true', 'x_y.z.b'),
    fc.tuple(tie('n'), fc.constantFrom('<', '>=', '=='), tie('n')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('b'), fc.constantFrom('&&', '||'), tie('b')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('s'), tie('l')).map(([s, l]) => `(${s} in ${l})`),
    fc.tuple(fc.constantFrom('all', 'exists'), tie('l'), tie('b')).map(([m, l, b]) => `${l}.${m}(e, ${b})`),
  ),
}))

test('evaluates to a value of the inferred type, also with unknowns', () => {
  const type = objectType({
    n: numberType,
    s: stringType,
    b: boolType,
    list: listType(stringType),
    map: mapType(stringType),
  })
  const known = { n: Decimal.fromInteger(3), s: 'text', b: true, list: ['p', 'r'], map: valueObject({ k: 'v' }) }
  const expression = fc.oneof(numeric.n, numeric.s, numeric.l, numeric.b)
  fc.assert(
    fc.property(expression, fc.subarray(Object.keys(known)), (source, hidden) => {
      const compiled = compileTemplate(`\${${source}}`)
      const tableOf = (values: Record<string, Value>) =>
        new TableScope({ 'x_y.z': { type, value: valueObject(values) } })
      const whole = tableOf(known)
      const partial = tableOf({ ...known, ...Object.fromEntries(hidden.map((name) => [name, unknown])) })
      expect(checkCompiled(compiled, dynamicType, whole)).toEqual([])
      const expected = typeOfWhole(compiled.template.text, whole)
      const { value } = compiled.evaluate(whole, expected, new Meter())
      const { value: early } = compiled.evaluate(partial, expected, new Meter())
      expect(canConvert(typeOf(value), expected)).toBe(true)
      expect(isEarlierOf(early, value)).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

/** Compares two values; unknown parts are equal to anything. */
function isEarlierOf(early: Value, late: Value): boolean {
  if (isUnknown(early)) return true
  if (isList(early))
    return isList(late) && early.length === late.length && early.every((e, i) => isEarlierOf(e, late[i]!))
  return equalValues(early, late)
}
