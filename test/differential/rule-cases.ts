import type { JsonObject, JsonValue } from '@hykube/machinery/json'

/** A spec's schema with rules, and specs to write. */
export interface RuleCase {
  readonly name: string
  readonly schema: JsonObject
  /** Each is created; a pair is created as the first and updated to the second. */
  readonly specs?: readonly (JsonObject | Change)[]
}

/** An object that is created and then updated. */
export interface Change {
  readonly from: JsonObject
  readonly to: JsonObject
}

const string = { type: 'string' }
const integer = { type: 'integer' }
const short = { type: 'string', maxLength: 20 }

function object(properties: JsonObject, rules: JsonValue[] = [], more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...(rules.length > 0 && { 'x-kubernetes-validations': rules }), ...more }
}

function list(items: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'array', items, ...more }
}

function map(additionalProperties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', additionalProperties, ...more }
}

function rule(text: string, more: JsonObject = {}): JsonObject {
  return { rule: text, ...more }
}

const fields = object({
  name: short,
  other: short,
  count: integer,
  limit: integer,
  ratio: { type: 'number' },
  on: { type: 'boolean' },
  tags: list(short, { maxItems: 10 }),
  numbers: list(integer, { maxItems: 10 }),
  labels: map(short, { maxProperties: 10 }),
  port: { 'x-kubernetes-int-or-string': true },
  when: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  wait: { type: 'string', format: 'duration' },
  data: { type: 'string', format: 'byte', maxLength: 40 },
  inner: object({ a: short, b: integer }),
  nothing: { type: 'string', nullable: true },
  'dashed-name': short,
  namespace: short,
  items: list(object({ key: short, value: integer }, [], { required: ['key'] }), {
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['key'],
  }),
}).properties as JsonObject

/** One rule over a spec with fields of every type. */
function over(text: string, specs: RuleCase['specs'] = [], more: JsonObject = {}): RuleCase {
  return { name: text, schema: object(fields, [rule(text, more)]), specs }
}

const full: JsonObject = {
  name: 'web',
  other: 'x',
  count: 3,
  limit: 5,
  ratio: 0.5,
  on: true,
  tags: ['a', 'b'],
  numbers: [1, 2, 3],
  labels: { a: 'x', b: 'y' },
  port: 80,
  when: '2024-02-03T04:05:06Z',
  day: '2024-02-03',
  wait: '1h30m',
  data: 'aGVsbG8=',
  inner: { a: 'q', b: 1 },
  'dashed-name': 'd',
  namespace: 'n',
  items: [{ key: 'a', value: 1 }],
}

/** Valid rules, with objects that satisfy them or not. */
const evaluated: readonly RuleCase[] = [
  over('self.count <= self.limit', [full, { count: 9, limit: 1 }, { count: 1 }]),
  over('self.name.startsWith("w")', [full, { name: 'x' }, {}]),
  over('has(self.name) && self.name != ""', [full, {}]),
  over('self.tags.all(t, t.size() < 3)', [full, { tags: ['long'] }, { tags: [] }]),
  over('self.tags.exists_one(t, t == "a") && self.numbers.map(n, n * 2).sum() == 12', [full, { tags: ['a', 'a'] }]),
  over('self.numbers.filter(n, n > 1).size() == 2 && self.numbers.isSorted()', [full, { numbers: [3, 2, 1] }]),
  over('self.numbers.max() > 2', [full, { numbers: [] }]),
  over('self.tags[5] == "a"', [full]),
  over('self.labels["zz"] == "a"', [full]),
  over('self.count / (self.limit - 5) > 1', [full]),
  over('self.count % (self.limit - 5) > 1', [full]),
  over('self.count + 9223372036854775807 > 0', [full]),
  over('int(self.name) > 1', [full, { name: '7' }]),
  over('double(self.name) > 1.0', [full]),
  over('self.port == 80', [full, { port: 'http' }]),
  over('self.port > 70', [full, { port: 'http' }]),
  over('self.port + 1 == 81', [{ port: 'http' }, full]),
  over('size(self.port) > 1', [full]),
  over('type(self.port) == int', [full, { port: 'x' }]),
  over('self.when.getFullYear() == 2024 && self.when > timestamp("2020-01-01T00:00:00Z")', [full]),
  over('self.day == timestamp("2024-02-03T00:00:00Z")', [full]),
  over('self.wait > duration("2h")', [full]),
  over('self.wait.getMinutes() == 90', [full]),
  over('string(self.data) == "hello" && self.data.size() == 5', [full]),
  over('self.inner == {"a": "q"}', [full]),
  over('self.inner.a == "z"', [full, { inner: {} }]),
  over('self.__namespace__ == "n" && self.dashed__dash__name == "e"', [full]),
  over('self.?name.orValue("none") == "none"', [full, {}]),
  over('self.?inner.?a.hasValue()', [full, {}, { inner: {} }]),
  over('self.?inner.a.optMap(x, x + "!").orValue("") == "q!"', [full, {}]),
  over('self.labels[?"a"].optFlatMap(x, optional.ofNonZeroValue(x)).hasValue()', [full, { labels: {} }]),
  over('[?self.?name, ?self.?other].size() == 1', [full, { name: 'a' }]),
  over('self.labels.all(k, v, k != v) && self.labels.transformList(k, v, k + v).size() == 3', [full]),
  over('self.tags.transformMap(i, t, t)[0] == "b"', [full]),
  over('self.name.matches("^[a-v]+$")', [full]),
  over('self.name.find("[0-9]+") == "1" || self.name.findAll("e").size() == 9', [full]),
  over('self.name.split("e").join("-") == "w-x" || self.name.upperAscii() == "x"', [full]),
  over('self.name.replace("w", "v").indexOf("v") == 1 && self.name.substring(1, 2) == "q"', [full]),
  over('self.name.substring(9) == ""', [full]),
  over('"%s has %d".format([self.name, self.count]) == "web has 4"', [full]),
  over('"%s".format([self.name]) == "x"', [full]),
  over('quantity(self.name).isGreaterThan(quantity("1"))', [full, { name: '2Gi' }, { name: '500m' }]),
  over('isURL(self.name) || url("https://a.example:80/p?q=1").getHost() == "x"', [full]),
  over('url(self.name).getHost() == "x"', [full]),
  over('isIP(self.name) || ip("10.0.0.1").family() == 6', [full]),
  over('ip(self.name).isLoopback()', [full, { name: '127.0.0.1' }]),
  over('cidr("10.0.0.0/8").containsIP(self.name)', [full, { name: '10.1.2.3' }, { name: '11.1.2.3' }]),
  over('semver(self.name).major() > 1', [full, { name: '1.2.3' }, { name: '2.0.0' }]),
  over('!format.dns1123Label().validate(self.name).hasValue()', [full, { name: 'A_b' }]),
  over('sets.contains(self.tags, ["a", "c"]) || lists.range(3).size() == 4', [full]),
  over('self.tags.sortBy(t, t).reverse()[0] == "a" || self.tags.distinct().size() == 9', [full]),
  over('self.items.exists(i, i.key == "z" || i.value == 2)', [full]),
  over('true || self.inner.b > 1', [{}]),
  over('self.inner.b > 1 || true', [{}]),
  over('self.ratio > 1', [full]),
  over('self.metadata == "x"'),
  over('self.count in [1, 2, 4]', [full]),
  over('self.name in self.labels', [full]),
  over('dyn(self.count) == dyn(self.name)', [full]),
]

/** The options of rules, and transition rules. */
const told: readonly RuleCase[] = [
  over('self.count < 1', [full], { message: 'too many' }),
  over('self.count < 1', [full], { messageExpression: '"has " + string(self.count) + ", may have 0"' }),
  over('self.count < 1', [full], { message: 'plain', messageExpression: 'self.tags[7]' }),
  over('self.count < 1', [full], { messageExpression: '""' }),
  over('self.count < 1', [full], { messageExpression: '"a\\nb"' }),
  over('self.count < 1', [full], { reason: 'FieldValueForbidden', message: 'no' }),
  over('self.count < 1', [full], { reason: 'FieldValueRequired', fieldPath: '.name' }),
  over('self.count < 1', [full], { reason: 'FieldValueDuplicate', fieldPath: '.count' }),
  over('self.count < 1', [full], { fieldPath: ".labels['a']", message: '  trimmed  ' }),
  over('self.count < 1', [full], { fieldPath: ".inner['a']" }),
  over('self.count == oldSelf.count', [full, { from: full, to: { ...full, count: 4 } }]),
  over(
    'oldSelf.hasValue() ? self.count == oldSelf.value().count : self.count == 3',
    [full, { count: 1 }, { from: full, to: { ...full, count: 4 } }],
    { optionalOldSelf: true },
  ),
  over('!oldSelf.hasValue() || self.name == oldSelf.value().name', [{ from: {}, to: { name: 'a' } }], {
    optionalOldSelf: true,
  }),
  {
    name: 'a change of an item found by its key',
    schema: object({
      items: list(
        object({ key: short, value: integer }, [rule('self.value >= oldSelf.value', { message: 'must not shrink' })], {
          required: ['key'],
        }),
        {
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['key'],
        },
      ),
    }),
    specs: [
      {
        from: {
          items: [
            { key: 'a', value: 2 },
            { key: 'b', value: 3 },
          ],
        },
        to: {
          items: [
            { key: 'b', value: 1 },
            { key: 'a', value: 3 },
          ],
        },
      },
    ],
  },
  {
    name: 'what did not change is forgiven',
    schema: object({
      a: { ...short, 'x-kubernetes-validations': [rule('self.size() > 2 || oldSelf == self')] },
      b: short,
    }),
    specs: [{ from: { a: 'x' }, to: { a: 'x', b: 'y' } }],
  },
  {
    name: 'a rule on a text',
    schema: object({ a: { ...short, 'x-kubernetes-validations': [rule('self == "x"')] } }),
    specs: [{ a: 'y' }],
  },
  {
    name: 'a rule on a number',
    schema: object({ a: { ...integer, 'x-kubernetes-validations': [rule('self > 3', { message: 'small' })] } }),
    specs: [{ a: 1 }],
  },
  {
    name: 'a rule on a list',
    schema: object({ a: list(short, { maxItems: 3, 'x-kubernetes-validations': [rule('self.size() > 1')] }) }),
    specs: [{ a: ['y'] }],
  },
  {
    name: 'a rule on a map',
    schema: object({ a: map(short, { maxProperties: 3, 'x-kubernetes-validations': [rule('self.size() > 1')] }) }),
    specs: [{ a: { b: 'y' } }],
  },
  {
    name: 'several rules',
    schema: object(fields, [
      rule('self.count < 1'),
      rule('self.name == "y"', { message: 'm' }),
      rule('has(self.inner)'),
    ]),
    specs: [full, {}],
  },
  {
    name: 'rules with a wrong type',
    schema: object(fields, [rule('self.count < 1')]),
    specs: [{ count: 'x' }, { count: 2.5 }],
  },
  {
    name: 'embedded',
    schema: object({
      e: object({}, [rule('self.kind == "K" && self.metadata.name == "n"')], {
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      }),
    }),
    specs: [{ e: { apiVersion: 'v1', kind: 'K', metadata: { name: 'm' } } }],
  },
]

/** Invalid rules. */
const refused: readonly RuleCase[] = [
  ...[
    'self.nope == 1',
    'self.count == "a"',
    'self.count + self.name == 1',
    'self.count',
    'nope(self.name)',
    'self.name.nope()',
    'self.name.startsWith(1)',
    'other == 1',
    'self.count.all(x, true)',
    'self.name.all(x, true)',
    'self.tags.map(x, y)',
    'self.tags.map(1, x)',
    'self.tags.all(a.b, true)',
    'has(self)',
    'has(self.tags[0])',
    'self.inner.nope.x == 1',
    'self.count.x == 1',
    '["a", 1].size() == 2',
    '{"a": 1, "b": "c"}.size() == 2',
    'self.ratio == 1',
    'self.nothing == null',
    'self.name == null',
    'self.inner == null',
    'true ? 1 : "a"',
    '!self.count',
    '-self.name == "a"',
    'self.name && true',
    'self.inner == self.name',
    'self.tags == self.numbers',
    'self.labels.a == 1',
    'duration("x") > self.wait',
    'timestamp("x") > self.when',
    'self.name.matches("(")',
    'self.name.reverse() == "a"',
    'cel.bind(x, 1, x == 1)',
    'Foo{a: 1} == 1',
    'math.greatest(1, 2) == 2',
    'self.tags.sum() == 1',
    'quantity("1").sign() == 1',
    'self.nope == 1 && self.nope2 == 2',
    'oldSelf.nope == self.count',
    'self.count == 99999999999999999999',
    'self.`dashed-name` == "a"',
    'namespace == "a"',
  ].map((text) => over(text)),
  ...[
    '',
    '   ',
    'self.count ==',
    'self.count == 1 1',
    '(self.count == 1',
    'self.count == 1)',
    '"open',
    'self..count',
    'self.count = 1',
    'a b',
    '#',
    'self.tags[',
    '[1, 2',
    '{1: 2',
    'self.tags.all(x, )',
    'for == 1',
    '1 +* 2',
    'self.count === 1',
    '? 1 : 2',
    'true ? 1',
    "'\\q' == ''",
    'self.1',
    '&& true',
  ].map((text) => ({ ...over(text), name: `syntax: ${text}` })),
  over('self.count < 1', [], { messageExpression: 'self.count' }),
  over('self.count < 1', [], { messageExpression: 'self.nope' }),
  over('self.count < 1', [], { message: ' ' }),
  over('self.count < 1', [], { message: 'a\nb' }),
  over('self.count < 1 &&\ntrue'),
  over('self.count < 1', [], { reason: 'Nope' }),
  over('self.count < 1', [], { fieldPath: '.nope' }),
  over('self.count < 1', [], { fieldPath: 'name' }),
  over('self.count < 1', [], { fieldPath: ' ' }),
  over('self.count < 1', [], { optionalOldSelf: true }),
  {
    name: 'oldSelf in a list',
    schema: object({ a: list(object({ x: integer }, [rule('self.x == oldSelf.x')]), { maxItems: 3 }) }),
  },
  {
    name: 'oldSelf in a set',
    schema: object({
      a: list(
        { ...short, 'x-kubernetes-validations': [rule('self == oldSelf')] },
        { maxItems: 3, 'x-kubernetes-list-type': 'set' },
      ),
    }),
  },
  {
    name: 'self of an open object',
    schema: object({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }, [rule('self.a.b == 1')]),
  },
  { name: 'two lines', schema: object(fields, [rule('self.count < 1 &&\nself.nope', { message: 'm' })]) },
  { name: 'wide characters', schema: object(fields, [rule('self.name == "äöü" && self.nope == 1')]) },
]

/** Rules whose estimated cost exceeds the limit. */
const costly: readonly RuleCase[] = [
  { name: 'a list without bound', schema: object({ a: list(string) }, [rule('self.a.all(x, x == "a")')]) },
  {
    name: 'a list with a bound',
    schema: object({ a: list(short, { maxItems: 100 }) }, [rule('self.a.all(x, x == "a")')]),
  },
  { name: 'a list of numbers without bound', schema: object({ a: list(integer) }, [rule('self.a.all(x, x == 1)')]) },
  { name: 'a list in a list', schema: object({ a: list(list(integer)) }, [rule('self.a.all(x, x.all(y, y > 1))')]) },
  {
    name: 'a list in a list with bounds',
    schema: object({ a: list(list(integer, { maxItems: 10 }), { maxItems: 10 }) }, [
      rule('self.a.all(x, x.all(y, y > 1))'),
    ]),
  },
  {
    name: 'a list gone through twice',
    schema: object({ a: list(integer, { maxItems: 2000 }) }, [rule('self.a.all(x, self.a.all(y, x != y))')]),
  },
  {
    name: 'a list gone through twice, a little too much',
    schema: object({ a: list(integer, { maxItems: 1500 }) }, [rule('self.a.all(x, self.a.all(y, x != y))')]),
  },
  { name: 'a map without bound', schema: object({ a: map(string) }, [rule('self.a.all(k, self.a[k] == "x")')]) },
  {
    name: 'keys of a map without bound',
    schema: object({ a: map(string) }, [rule('self.a.all(k, k.startsWith("x"))')]),
  },
  {
    name: 'a text in a list without bound',
    schema: object({ a: list({ ...string, 'x-kubernetes-validations': [rule('self.contains("abc")')] }) }),
  },
  {
    name: 'a short text in a list without bound',
    schema: object({ a: list({ ...short, 'x-kubernetes-validations': [rule('self.contains("abc")')] }) }),
  },
  {
    name: 'required fields in a list without bound',
    schema: object({ a: list(object({ x: short, y: short }, [rule('self.x == self.y')], { required: ['x', 'y'] })) }),
  },
  { name: 'two long texts', schema: object({ a: string, b: string }, [rule('self.a.contains(self.b)')]) },
  {
    name: 'a long text',
    schema: object({ a: string }, [rule('self.a == "x" && self.a.size() > 3 && self.a.lowerAscii() == "x"')]),
  },
  {
    name: 'a pattern over a long text',
    schema: object({ a: string }, [rule('self.a.matches("^[a-z]+([.][a-z]+)*$")')]),
  },
  {
    name: 'a pattern over a shorter text',
    schema: object({ a: { type: 'string', maxLength: 5000 } }, [rule('self.a.matches("^[a-z]+([.][a-z]+)*$")')]),
  },
  { name: 'a pattern out of a text', schema: object({ a: string, b: string }, [rule('self.a.matches(self.b)')]) },
  {
    name: 'texts put together',
    schema: object({ a: list(string, { maxItems: 50 }) }, [rule('self.a.join(",").size() > 3')]),
  },
  {
    name: 'a text that is split',
    schema: object({ a: { type: 'string', maxLength: 2000 } }, [rule('self.a.split(",").all(x, x.size() < 5)')]),
  },
  {
    name: 'a text with replacements',
    schema: object({ a: { type: 'string', maxLength: 20000 } }, [
      rule('self.a.replace("a", "bb").replace("b", "cc").contains("ccc")'),
    ]),
  },
  {
    name: 'a search in a list',
    schema: object({ a: list(string, { maxItems: 100 }) }, [rule('self.a.all(x, x in self.a)')]),
  },
  {
    name: 'a comparison of lists',
    schema: object({ a: list(string, { maxItems: 100 }) }, [rule('self.a == oldSelf.a')]),
  },
  {
    name: 'an enum',
    schema: object({ a: list({ type: 'string', enum: ['x', 'yy'] }, { maxItems: 1000 }) }, [
      rule('self.a.all(x, x == "x")'),
    ]),
  },
  {
    name: 'a message that costs too much',
    schema: object({ a: list(string), n: integer }, [
      rule('self.n > 1', { messageExpression: 'self.a.map(x, x + x).join(",")' }),
    ]),
  },
  {
    name: 'many rules that cost too much together',
    schema: object(
      { a: list(integer, { maxItems: 1000 }) },
      Array.from({ length: 20 }, () => rule('self.a.all(x, self.a.all(y, x != y))')),
    ),
  },
  {
    name: 'bounds of what is around',
    schema: object({
      a: list(map(object({ x: short }, [rule('self.x.startsWith("abc")')]), { maxProperties: 50 }), { maxItems: 50 }),
    }),
  },
  {
    name: 'optional values',
    schema: object({ a: string, l: list(integer, { maxItems: 10 }) }, [
      rule('self.?a.orValue("x").contains("y") || self.l.transformList(i, v, v + i).size() > 3'),
    ]),
  },
  {
    name: 'sorted texts',
    schema: object({ a: list(string, { maxItems: 10 }) }, [
      rule('self.a.isSorted() && self.a.min() == "a" && self.a.indexOf("x") > 1'),
    ]),
  },
  {
    name: 'quantities and addresses',
    schema: object({ a: string, b: string }, [
      rule(
        'quantity(self.a).isGreaterThan(quantity(self.b)) || isIP(self.a) || url(self.b) == url(self.a) || ip(self.a) == ip(self.b) || cidr(self.a).containsIP(self.b)',
      ),
    ]),
  },
  {
    name: 'names',
    schema: object({ a: string }, [rule('format.dns1123Label().validate(self.a).hasValue() || isQuantity(self.a)')]),
  },
  {
    name: 'dates',
    schema: object({ a: list({ type: 'string', format: 'date-time' }, { maxItems: 1000 }) }, [
      rule('self.a.all(x, self.a.all(y, x < y))'),
    ]),
  },
  {
    name: 'a list that is made',
    schema: object({ a: list(integer, { maxItems: 100 }) }, [
      rule('self.a.map(x, [x, x]).map(x, x.size()).filter(x, x > 1).sum() > 1'),
    ]),
  },
]

export const ruleCases: readonly { readonly title: string; readonly cases: readonly RuleCase[] }[] = [
  { title: 'rules that are evaluated', cases: evaluated },
  { title: 'what rules say', cases: told },
  { title: 'rules that are refused', cases: refused },
  { title: 'rules that cost too much', cases: costly },
]
