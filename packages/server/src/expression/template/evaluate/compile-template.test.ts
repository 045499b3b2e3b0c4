import {
  attributeStep,
  boolType,
  Decimal,
  dynamicType,
  equalValues,
  listType,
  mapType,
  numberType,
  setType,
  stringType,
  type Type,
  Typed,
  unknown,
  type Value,
  valueObject,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EvaluationFailure } from '../../cel/evaluate/values.ts'
import { CostExceeded, costLimitPerTemplates, Meter } from '../../meter.ts'
import { TemplateError } from '../syntax/template.ts'
import { TableScope } from '../testing/table-scope.ts'
import { checkCompiled } from '../types/check-template.ts'
import { compileTemplate } from './compile-template.ts'
import { MissingReference } from './value-scope.ts'

const decimal = (text: string | number) => Decimal.parse(String(text))!
const huge = decimal('123456789012345678901234567890')

const scope = new TableScope(
  {
    'sim.a': {
      value: valueObject({
        id: 'i-1',
        five: decimal(5),
        half: decimal('0.5'),
        huge,
        fine: decimal('0.1234567890123456789012345'),
        yes: true,
        nothing: null,
        later: unknown,
        tags: valueObject({ a: 'x', b: 'y' }),
        list: ['p', 'q'],
        mixed: ['p', unknown],
        typed: new Typed(numberType, decimal(7)),
        rules: [
          valueObject({ ports: [valueObject({ n: decimal(1) }), valueObject({ n: decimal(2) })] }),
          valueObject({ ports: [] }),
        ],
      }),
    },
    'sim.s': {
      value: valueObject({ id: 's-1', password: 'hunter2', on: true }),
      sensitive: [[attributeStep('password')], [attributeStep('on')]],
    },
    'sim.web': { instances: new Map([0, 1, 2].map((i) => [i, valueObject({ id: `w${i}`, n: decimal(i) })])) },
  },
  { index: 1, secrets: { 'db.pass': 'geheim' }, configMaps: { 'net/c.k': 'v' } },
)

function evaluated(text: string, type: Type = dynamicType): Value {
  const { value } = compileTemplate(text).evaluate(scope, type, new Meter())
  return value instanceof Typed ? value.value : value
}

describe('a single reference', () => {
  test.each<[string, Type, Value]>([
    ['${sim.a.id}', stringType, 'i-1'],
    ['${sim.a.huge}', numberType, huge],
    ['${sim.a.huge}', stringType, '123456789012345678901234567890'],
    ['${sim.a.fine}', numberType, decimal('0.1234567890123456789012345')],
    ['${sim.a.five}', stringType, '5'],
    ['${sim.a.yes}', stringType, 'true'],
    ['${sim.a.nothing}', numberType, null],
    ['${sim.a.later}', numberType, unknown],
    ['${sim.a.list}', setType(stringType), ['p', 'q']],
    ['${sim.a.mixed}', listType(stringType), ['p', unknown]],
    ['${sim.a.tags}', mapType(stringType), valueObject({ a: 'x', b: 'y' })],
    ['${sim.web[*].n}', listType(numberType), [decimal(0), decimal(1), decimal(2)]],
    ['${sim.web[2].id}', stringType, 'w2'],
    ['${sim.web[count.index].id}', stringType, 'w1'],
    ['${count.index}', numberType, decimal(1)],
    ['${configmap["net/c"].k}', stringType, 'v'],
  ])('%s is passed through unchanged', (text, type, value) => {
    expect(equalValues(evaluated(text, type), value)).toBe(true)
  })

  test('returns the same object if the type matches', () => {
    expect(evaluated('${sim.a.huge}', numberType)).toBe(huge)
  })

  test('fails for a missing object, and names it', () => {
    const failure = failureOf(() => evaluated('${sim.nope.id}'))
    expect(failure).toBeInstanceOf(MissingReference)
    expect((failure as Error).message).toContain('sim.nope.id')
    expect(() => evaluated('${sim.a.tags.z}')).toThrow('has no value at this path')
    expect(() => evaluated('${sim.web[9].id}')).toThrow(MissingReference)
    expect(() => evaluated('${each.key}')).toThrow('no for_each')
  })

  test('fails for a wrong type, and names the expected one', () => {
    expect(() => evaluated('${sim.a.list}', numberType)).toThrow('number is expected here, not a list')
    expect(() => evaluated('${sim.a.id}', numberType)).toThrow('number is expected here')
  })
})

describe('an expression', () => {
  test.each<[string, Value]>([
    ['${sim.a.five + 1}', decimal(6)],
    ['${sim.a.five * 1.5}', decimal('7.5')],
    ['${sim.a.five / 2}', decimal(2)],
    ['${sim.a.five % 3}', decimal(2)],
    ['${-sim.a.five}', decimal(-5)],
    ['${-sim.a.huge}', decimal('-123456789012345678901234567890')],
    ['${sim.a.half + 0.25}', decimal('0.75')],
    ['${sim.a.huge > sim.a.five && sim.a.huge == sim.a.huge}', true],
    ['${sim.a.huge == 123456789012345678901234567891}', false],
    ['${[sim.a.huge][0]}', huge],
    ['${true ? sim.a.huge : 0}', huge],
    ['${string(sim.a.huge)}', huge.toString()],
    ['${sim.a.typed + 1}', decimal(8)],
    ['${0.1}', decimal('0.1')],
    ['${0.12345678901234567890}', decimal('0.1234567890123456789')],
    ['${"a" < "b" && 1 < 2.5 && 2 <= 2}', true],
    ['${1 == 1.0}', true],
    ['${"1" == 1}', false],
    ['${sim.a.nothing == null}', true],
    ['${[1, [2]] == [1, [2]] && {"a": 1} == {"a": 1}}', true],
    ['${"p" in sim.a.list && "a" in sim.a.tags && !("z" in sim.a.tags)}', true],
    ['${sim.a.list + ["r"]}', ['p', 'q', 'r']],
    ['${sim.a.list[count.index]}', 'q'],
    ['${sim.a.tags["a"] + sim.a.tags.b}', 'xy'],
    ['${sim.web[count.index + 1].id}', 'w2'],
    ['${sim.a.rules[*].ports[*].n}', [[decimal(1), decimal(2)], []]],
    ['${sim.a.list.map(x, x + "!")}', ['p!', 'q!']],
    ['${sim.a.list.filter(x, x != "p")}', ['q']],
    ['${sim.a.tags.map(k, k)}', ['a', 'b']],
    ['${sim.a.tags.transformMap(k, v, v + k)}', valueObject({ a: 'xa', b: 'yb' })],
    ['${sim.a.list.transformList(i, v, i > 0, v)}', ['q']],
    ['${sim.a.list.exists_one(x, x == "p")}', true],
    ['${[1, 2].map(x, [3].map(y, x * y))}', [[decimal(3)], [decimal(6)]]],
    ['${[1].map(x, [2].map(x, x))}', [[decimal(2)]]],
    ['${cel.bind(x, 2, x * x)}', decimal(4)],
    ['${{"a": 1, "b": {"c": true}}}', valueObject({ a: decimal(1), b: valueObject({ c: true }) })],
    ['${has(sim.a.tags.a) && !has(sim.a.tags.z) && !has(sim.a.nothing)}', true],
    ['${sim.a.tags.?z.orValue("none")}', 'none'],
    ['${sim.a.tags.?a.orValue("none")}', 'x'],
    ['${sim.a.tags[?"z"]}', null],
    ['${sim.a.tags[?"z"].or(sim.a.tags[?"a"]).value()}', 'x'],
    ['${size(sim.a.list) + sim.a.tags.size()}', decimal(4)],
    ['${"a-b".split("-")}', ['a', 'b']],
    ['${sim.a.list.join("+")}', 'p+q'],
    ['${"%s=%d".format([sim.a.id, sim.a.five])}', 'i-1=5'],
    ['${"abc".matches("^a.c$")}', true],
    ['${cidr("10.0.0.0/8").containsIP("10.1.2.3")}', true],
    ['${lists.range(3)}', [decimal(0), decimal(1), decimal(2)]],
    ['${int("7") + 1}', decimal(8)],
    ['${size("äöü")}', decimal(3)],
    ['${type(1) == int}', true],
    ['${quantity("1Gi").isGreaterThan(quantity("1Mi"))}', true],
    ['${1u + 2u}', decimal(3)],
  ])('%s', (text, expected) => {
    expect(evaluated(text)).toEqual(expected)
  })

  test.each([
    ['${sim.a.huge + 1}', 'rounded'],
    ['${sim.a.fine + 1.5}', 'rounded'],
    ['${9223372036854775807 + 1}', 'overflow'],
    ['${9007199254740993 * 1.5}', 'rounded'],
    ['${1 / 0}', 'division by zero'],
    ['${1.0 / 0.0}', 'not a number'],
    ['${sim.a.id + 5}', "+ can't be used between a string and a number"],
    ['${sim.a.nothing + "x"}', 'null'],
    ['${sim.a.id ? 1 : 2}', 'a condition must be a bool'],
    ['${sim.a.list[7]}', 'has no value'],
    ['${(sim.a.list + [])[7]}', 'out of bounds'],
    ['${sim.a.id.x.y}', 'has no value'],
    ['${sim.a.five.startsWith("x")}', 'no such overload'],
    ['${duration("1h")}', 'string()'],
    ['${b"abc"}', 'string()'],
    ['${"a".matches("(")}', 'missing'],
  ])('%s fails', (text, message) => {
    expect(() => evaluated(text)).toThrow(message)
  })

  test("converts its result by Terraform's rules", () => {
    expect(evaluated('${sim.a.five + 1}', stringType)).toBe('6')
    expect(evaluated('${"4" + "2"}', numberType)).toEqual(decimal(42))
    expect(evaluated('${"tr" + "ue"}', boolType)).toBe(true)
    expect(evaluated('${["b", "a", "b"]}', setType(stringType))).toEqual(['a', 'b'])
    expect(evaluated('${{"a": 1}}', mapType(stringType))).toEqual(valueObject({ a: '1' }))
  })
})

describe('inside a string', () => {
  test.each<[string, Value]>([
    ['n=${sim.a.five}', 'n=5'],
    ['${sim.a.huge}!', `${huge}!`],
    ['${sim.a.fine}!', '0.1234567890123456789012345!'],
    ['${1e30}!', '1000000000000000000000000000000!'],
    ['${sim.a.yes}/${sim.a.id}', 'true/i-1'],
    ['a${sim.a.later}b', unknown],
    ['$${${sim.a.id}}', '${i-1}'],
  ])('%s is %s', (text, expected) => {
    expect(evaluated(text, stringType)).toEqual(expected)
  })

  test('a number may be composed of several expressions', () => {
    expect(evaluated('${sim.a.five}0', numberType)).toEqual(decimal(50))
  })

  test.each(['x${sim.a.list}', 'x${sim.a.tags}', 'x${sim.a.nothing}', 'x${sim.nope.id}${sim.a.later}'])(
    '%s fails',
    (text) => {
      expect(() => evaluated(text, stringType)).toThrow(EvaluationFailure)
    },
  )
})

describe('unknown values', () => {
  test.each<[string, Value]>([
    ['${sim.a.later + "x"}', unknown],
    ['${sim.a.later || true}', true],
    ['${true || sim.a.later}', true],
    ['${sim.a.later && false}', false],
    ['${false && sim.a.later}', false],
    ['${sim.a.later || false}', unknown],
    ['${false || sim.a.later}', unknown],
    ['${sim.a.later || 1 / 0 == 1}', unknown],
    ['${1 / 0 == 1 || sim.a.later}', unknown],
    ['${1 / 0 == 1 || true}', true],
    ['${!sim.a.later}', unknown],
    ['${sim.a.later ? 1 : 2}', unknown],
    ['${true ? 1 : sim.a.later}', decimal(1)],
    ['${sim.a.later == 1}', unknown],
    ['${sim.a.mixed == ["z", "q"]}', false],
    ['${sim.a.mixed == ["p", "q"]}', unknown],
    ['${sim.a.mixed == ["p"]}', false],
    ['${size(sim.a.mixed)}', decimal(2)],
    ['${sim.a.mixed[0]}', 'p'],
    ['${sim.a.mixed[1]}', unknown],
    ['${sim.a.list[sim.a.later]}', unknown],
    ['${sim.web[sim.a.later].id}', unknown],
    ['${sim.a.later.x.y}', unknown],
    ['${[sim.a.later, "x"]}', [unknown, 'x']],
    ['${{"a": sim.a.later}}', valueObject({ a: unknown })],
    ['${sim.a.mixed.map(x, x + "!")}', ['p!', unknown]],
    ['${sim.a.mixed.filter(x, x == "p")}', unknown],
    ['${sim.a.mixed.all(x, x == "q")}', false],
    ['${sim.a.mixed.all(x, x == "p")}', unknown],
    ['${sim.a.mixed.exists(x, x == "p")}', true],
    ['${sim.a.mixed.exists(x, x == "q")}', unknown],
    ['${[sim.a.later, 1, 1].exists_one(x, x == 1)}', false],
    ['${sim.a.later.map(x, x)}', unknown],
    ['${"p" in sim.a.mixed}', true],
    ['${"q" in sim.a.mixed}', unknown],
    ['${sim.a.mixed.join(",")}', unknown],
    ['${has(sim.a.later)}', unknown],
    ['${sim.a.?later.orValue("x")}', unknown],
    ['${cel.bind(x, sim.a.later, true || x)}', true],
  ])('%s', (text, expected) => {
    expect(evaluated(text)).toEqual(expected)
  })

  // For every later value of the unknown, a result computed without it stays the same, or the evaluation fails.
  test('never decide a result that their value could change', () => {
    const operand = fc.constantFrom(
      'x_y.z.a',
      'x_y.z.b',
      'true',
      'false',
      'x_y.z.a == "p"',
      'x_y.z.b == "p"',
      '1 / 0 == 1',
    )
    const condition = fc.letrec<{ all: string }>((tie) => ({
      all: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        operand,
        fc.tuple(tie('all'), fc.constantFrom('&&', '||', '=='), tie('all')).map(([a, op, b]) => `(${a} ${op} ${b})`),
        tie('all').map((a) => `!(${a})`),
        fc.tuple(tie('all'), tie('all'), tie('all')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
        fc
          .tuple(fc.constantFrom('all', 'exists', 'exists_one'), tie('all'))
          .map(([m, a]) => `[${a}, v].${m}(v, v)`.replace(', v]', ', x_y.z.a]')),
        fc.tuple(tie('all'), tie('all')).map(([a, b]) => `(${a} in [${b}, x_y.z.b])`),
        tie('all').map((a) => `(size([${a}]) == 1)`),
      ),
    })).all
    const value = fc.constantFrom<Value>(true, false, 'p', null)
    const run = (text: string, a: Value, b: Value): Value | 'failed' => {
      const table = new TableScope({ 'x_y.z': { value: valueObject({ a, b }) } })
      try {
        return compileTemplate(`\${${text}}`).evaluate(table, dynamicType, new Meter()).value
      } catch (error) {
        if (error instanceof EvaluationFailure) return 'failed'
        throw error
      }
    }
    fc.assert(
      fc.property(condition, value, value, (text, a, b) => {
        const undecided = run(text, unknown, b)
        if (undecided === unknown) return
        const decided = run(text, a, b)
        if (decided !== 'failed') expect(decided).toEqual(undecided)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('sensitive values', () => {
  test.each([
    ['${sim.s.password}', true],
    ['${sim.s.id}', false],
    ['${sim.s}', true],
    ['x${sim.s.password}', true],
    ['${sim.s.on ? "a" : "b"}', true],
    ['${sim.s.on || true}', true],
    ['${true || sim.s.on}', false],
    ['${sim.a.later || sim.s.on}', true],
    ['${[1, 2].map(x, sim.s.on)}', true],
    ['${secret["db"].pass}', true],
    ['${configmap["net/c"].k}', false],
    ['${size(sim.s.password)}', true],
    ['a${sim.a.later}${sim.s.password}', true],
  ])('%s: %s', (text, expected) => {
    expect(compileTemplate(text).evaluate(scope, dynamicType, new Meter()).sensitive).toBe(expected)
  })

  test('are not in messages', () => {
    for (const text of ['${sim.a.tags[sim.s.password]}', '${int(sim.s.password)}', '${sim.web[sim.s.password].id}']) {
      const failure = failureOf(() => evaluated(text))
      expect(failure).toBeInstanceOf(EvaluationFailure)
      expect((failure as Error).message).not.toContain('hunter2')
    }
  })
})

describe('expressions above the cost limit fail', () => {
  const doubled = (times: number, start: string, end: string) => {
    let text = end
    for (let i = times; i > 0; i--) text = `cel.bind(x${i}, ${i === 1 ? start : `x${i - 1} + x${i - 1}`}, ${text})`
    return `\${${text}}`
  }
  test.each([
    ['loops in loops', '${lists.range(1000).map(a, lists.range(1000).map(b, a * b))}'],
    ['large lists in a loop', '${lists.range(100000).map(a, lists.range(100000))}'],
    ['a list that doubles', doubled(40, '[1]', 'x40')],
    ['a text that doubles', doubled(40, '"aaaaaaaa"', 'x40')],
    ['a text that doubles, and is thrown away', doubled(40, '"aaaaaaaa"', 'size(x40)')],
    ['lists that share their parts', doubled(40, '[1]', 'x40').replaceAll(/x(\d+) \+ x\1/g, '[x$1, x$1]')],
    [
      'lists that share their parts, compared',
      doubled(40, '[1]', '(x40 == [x39, x39])').replaceAll(/x(\d+) \+ x\1/g, '[x$1, x$1]'),
    ],
    ['replacing that multiplies', doubled(20, '"aaaaaaaa"', 'x20.replace("", x20)')],
    ['joining that multiplies', doubled(20, '"aaaaaaaa"', 'lists.range(90000).map(i, "a").join(x20)')],
  ])('%s', (_, text) => {
    const started = performance.now()
    expect(() => compileTemplate(text).evaluate(scope, dynamicType, new Meter())).toThrow(CostExceeded)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  test('all expressions of one meter share its budget', () => {
    const meter = new Meter(1000)
    const loop = compileTemplate('${lists.range(100).map(i, i)}')
    expect(() => {
      for (let i = 0; i < 20; i++) loop.evaluate(scope, dynamicType, meter)
    }).toThrow(CostExceeded)
  })

  test('refuses deep nesting when parsing', () => {
    for (const text of [
      `\${${'['.repeat(5000)}${']'.repeat(5000)}}`,
      `\${${'('.repeat(5000)}1${')'.repeat(5000)}}`,
      `\${sim.a${'.b'.repeat(5000)}}`,
      `\${${'true || '.repeat(2000)}true}`,
    ]) {
      expect(() => compileTemplate(text)).toThrow(/too large|too deeply/)
    }
  })

  test('evaluates the longest accepted chain of operators', () => {
    expect(evaluated(`\${${'1+'.repeat(990)}1}`)).toEqual(decimal(991))
    expect(evaluated(`\${${'false || '.repeat(990)}true}`)).toBe(true)
  })
})

// Random combinations of all syntax.
test('a random expression has a value or fails with EvaluationFailure or CostExceeded', () => {
  const leaf = fc.constantFrom(
    ...[
      'sim.a.id',
      'sim.a.five',
      'sim.a.huge',
      'sim.a.nothing',
      'sim.a.later',
      'sim.a.tags',
      'sim.a.mixed',
      'sim.a.typed',
    ],
    ...[
      'sim.a.rules',
      'sim.s.password',
      'sim.web[*].n',
      'count.index',
      'e',
      '1',
      '-1',
      '2.5',
      '"a"',
      'null',
      'true',
      '[]',
    ],
    ...['{}', '{1: 2}', 'int', 'b"a"', '1u', 'duration("1h")', 'timestamp("2024-01-01T00:00:00Z")', 'optional.none()'],
    ...['ip("1.2.3.4")', 'quantity("1")', '9223372036854775808', '0x10', "r'a'", '"constructor"', '"__proto__"'],
  )
  const expression = fc.letrec<{ x: string }>((tie) => ({
    x: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc
        .tuple(tie('x'), fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', '&&', '||'), tie('x'))
        .map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie('x').chain((a) =>
        fc.constantFrom(`!${a}`, `-${a}`, `(${a})[*]`, `(${a}).id`, `(${a}).?id`, `has((${a}).id)`),
      ),
      fc.tuple(tie('x'), tie('x')).map(([a, b]) => `(${a})[${b}]`),
      fc.tuple(tie('x'), tie('x'), tie('x')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(tie('x'), tie('x')).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(tie('x'), tie('x')).map(([a, b]) => `{${a}: ${b}}`),
      fc
        .tuple(tie('x'), fc.constantFrom('map', 'filter', 'all', 'exists', 'exists_one'), tie('x'))
        .map(([a, macro, b]) => `(${a}).${macro}(e, ${b})`),
      fc.tuple(tie('x'), tie('x')).map(([a, b]) => `(${a}).transformMap(k, e, ${b})`),
      fc
        .tuple(fc.constantFrom('size', 'string', 'int', 'double', 'type', 'dyn', 'uint', 'ip', 'duration'), tie('x'))
        .map(([name, a]) => `${name}(${a})`),
      fc
        .tuple(
          tie('x'),
          fc.constantFrom('startsWith', 'matches', 'split', 'join', 'format', 'indexOf', 'orValue'),
          tie('x'),
        )
        .map(([a, name, b]) => `(${a}).${name}(${b})`),
      fc
        .tuple(tie('x'), fc.constantFrom('sum', 'min', 'sort', 'flatten', 'reverse', 'distinct', 'hasValue', 'value'))
        .map(([a, name]) => `(${a}).${name}()`),
      fc.tuple(tie('x'), tie('x')).map(([a, b]) => `sets.contains(${a}, ${b})`),
    ),
  })).x
  const type = fc.constantFrom<Type>(dynamicType, stringType, numberType, listType(stringType), mapType(boolType))
  fc.assert(
    fc.property(expression, type, (source, expected) => {
      try {
        const compiled = compileTemplate(`\${cel.bind(e, sim.a.list, ${source})}`)
        checkCompiled(compiled, expected, scope)
        compiled.evaluate(scope, expected, new Meter())
      } catch (error) {
        const isOwn = [EvaluationFailure, CostExceeded, TemplateError].some((kind) => error instanceof kind)
        if (!isOwn) throw error
      }
    }),
    { numRuns: 5000 },
  )
})

test('compiles a text once', () => {
  expect(compileTemplate('${sim.a.id}')).toBe(compileTemplate('${sim.a.id}'))
})

function failureOf(body: () => unknown): unknown {
  try {
    body()
  } catch (error) {
    return error
  }
  return undefined
}

describe('an expression that asks for much work', () => {
  const lists = ['lists.range(30000)', 'lists.range(30000).map(i, [i])', 'lists.range(20000).map(i, {"k": i})']
  const work = lists.flatMap((list) => [
    `${list}.distinct().size()`,
    `sets.contains(${list}, ${list})`,
    `sets.equivalent(${list}, ${list})`,
    `sets.intersects(${list}, [["none"]])`,
  ])
  const text = `lists.range(5000).map(i, "ab").join("")`
  const searches = ['(a|b)*c{2,900}', 'a(.*z)?', '((a|b)*a(a|b){15})c'].flatMap((pattern) => [
    `${text}.matches("${pattern}")`,
    `${text}.find("${pattern}")`,
    `${text}.findAll("${pattern}").size()`,
  ])

  test.each([...work, ...searches])('takes little time, or is cut off: %s', (text) => {
    const meter = new Meter(costLimitPerTemplates)
    const template = compileTemplate(`\${${text}}`)
    const before = process.cpuUsage()
    // As often as the budget of one object allows.
    for (let times = 0; times < 100 && meter.remaining > 0; times++)
      try {
        template.evaluate(scope, dynamicType, meter)
      } catch (error) {
        if (error instanceof CostExceeded) break
        if (!(error instanceof EvaluationFailure)) throw error
      }
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
})
