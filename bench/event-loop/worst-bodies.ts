import { type Blocking, measureAll, type Sent, withApi } from './worst-requests.ts'

/**
 * Sends the worst bodies of every content type, each as large as a body may be: shapes that make many values, or slow
 * ones, of few bytes.
 */
export function worstBodies(report: (row: Blocking) => void = () => {}): Promise<Blocking[]> {
  return withApi((api) => measureAll(api, requests(), report), worstDefinition)
}

const largest = 3 << 20
const largestYamlOnLoop = 8 << 10
const configmaps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'
const things = '/apis/worst.example.com/v1/namespaces/default/things'

const text = { type: 'string' }
const entry = { type: 'object', properties: { name: text, value: { type: 'integer' } }, required: ['name'] }
// Lists whose validation takes more than a look at each item.
const checked = {
  type: 'object',
  properties: {
    set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    map: {
      type: 'array',
      items: entry,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    enums: { type: 'array', items: { type: 'integer', enum: Array.from({ length: 1000 }, (_, at) => at) } },
    alternatives: {
      type: 'array',
      items: { type: 'string', anyOf: Array.from({ length: 100 }, (_, at) => ({ enum: [`a${at}`] })) },
    },
    patterns: { type: 'array', items: { type: 'string', pattern: '^(a|b)*c{2,900}$' } },
  },
}

// Nothing is pruned, so every value of a body is worked on in every step.
const worstDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.worst.example.com' },
  spec: {
    group: 'worst.example.com',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, checked },
          },
        },
      },
    ],
  },
} as never

/** JSON text of a value of about so many bytes, by shape. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  'numbers in a list': (bytes) => list(bytes, '0'),
  'empty strings in a list': (bytes) => list(bytes, '""'),
  'empty lists in lists': (bytes) => list(bytes, list(40_000, '[]')),
  'empty objects in lists': (bytes) => list(bytes, list(80_000, '{}')),
  'objects of one field in lists': (bytes) => list(bytes, list(180_000, '{"":0}')),
  'objects of many fields': (bytes) => list(bytes, fields(200_000)),
  'nested objects': (bytes) => list(bytes, `${'{"":'.repeat(400)}0${'}'.repeat(400)}`),
  'nested lists': (bytes) => list(bytes, `${'['.repeat(400)}${']'.repeat(400)}`),
  'the same key again and again': (bytes) => list(bytes, `{${repeated(150_000, '"":0')}}`),
  'the same key again and again, deep': (bytes) =>
    `${'['.repeat(900)}${list(bytes - 2000, `{${repeated(150_000, '"":0')}}`)}${']'.repeat(900)}`,
  'numbers that no double holds': (bytes) => list(bytes, '1e999'),
  'long numbers': (bytes) => list(bytes, '9'.repeat(1000)),
  'one number': (bytes) => '9'.repeat(bytes - 2),
  'escapes in one string': (bytes) => `"${'\\ud83d'.repeat(bytes / 6)}"`,
  'one long string': (bytes) => `"${'x'.repeat(bytes)}"`,
  'one long key': (bytes) => `{"${'x'.repeat(bytes)}":0}`,
}

function* requests(): Generator<Sent> {
  yield small(configmaps, 'v1', 'ConfigMap')
  yield small(things, 'worst.example.com/v1', 'Thing')
  yield small(pods, 'v1', 'Pod', { spec: { containers: [{ name: 'a', image: 'a' }] } })
  for (const [shape, text] of Object.entries(shapes)) {
    for (const value of new Set([text(largest - 300), mostAccepted(text)])) {
      yield* bodiesOf(shape, 'application/json', value)
      yield* bodiesOf(shape, 'application/merge-patch+json', value)
      yield* bodiesOf(shape, 'application/apply-patch+yaml', value)
    }
    // More is converted on a thread.
    yield* bodiesOf(shape, 'application/yaml', text(largestYamlOnLoop - 300))
  }
  yield* bodiesOf('one long string', 'application/yaml', shapes['one long string']!(largest - 300))
  yield* bodiesOf('escapes in one string', 'application/yaml', shapes['escapes in one string']!(largest - 300))
  yield* strategicPatches()
  yield* jsonPatches()
  yield* protobufs()
  yield* managedFields()
  yield* checkedLists()
  yield* largeMaps()
  yield* largeSets()
}

const patchTypes = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

/** Patches of a stored object with many keys. */
function* largeMaps(): Generator<Sent> {
  const keys = (prefix: string, value: string, count = 28_000) =>
    `{${Array.from({ length: count }, (_, at) => `"${prefix}${at}":${value}`).join()}}`
  const create = { name: 'a map with many keys', method: 'POST', path: configmaps } as const
  yield { ...create, body: `{"metadata":{"name":"keys"},"data":${keys('k', '"1"')}}` }
  for (const [way, type] of Object.entries(patchTypes))
    for (const [shape, data] of [
      ['the same keys', keys('k', '"2"')],
      ['other keys', keys('n', '"2"', 1900)],
      ['removals', keys('n', 'null', 1900)],
    ]) {
      const path = `${configmaps}/keys${way === 'apply' ? '?fieldManager=a&force=true' : ''}`
      const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"keys"},"data":${data}}`
      yield { name: `many keys, ${way}: ${shape}`, method: 'PATCH', path, type, body }
    }
}

/** Patches of a stored object with a large set. */
function* largeSets(): Generator<Sent> {
  const numbers = Array.from({ length: 28_000 }, (_, at) => `"example.com/f${at}"`)
  const metadata = (finalizers: readonly string[], more = '') =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"set","finalizers":[${finalizers.join()}]${more}}}`
  yield { name: 'a large set', method: 'POST', path: configmaps, body: metadata(numbers) }
  const patch = (way: keyof typeof patchTypes, shape: string, body: string, manager = 'a'): Sent => ({
    name: `a large set, ${way}: ${shape}`,
    method: 'PATCH',
    path: `${configmaps}/set${way === 'apply' ? `?fieldManager=${manager}&force=true` : ''}`,
    type: patchTypes[way],
    body,
  })
  for (const manager of ['a', 'b', 'c']) yield patch('apply', `manager ${manager}`, metadata(numbers), manager)
  for (const way of ['merge', 'strategic'] as const) yield patch(way, 'another order', metadata(numbers.toReversed()))
  const order = `,"$setElementOrder/finalizers":[${numbers.join()}]`
  yield patch('strategic', 'an order', metadata(numbers, order))
  for (const [shape, operation] of [
    ['insertions', '{"op":"add","path":"/metadata/finalizers/0","value":"example.com/f0"}'],
    ['moves', '{"op":"move","from":"/metadata/finalizers/0","path":"/metadata/finalizers/9"}'],
  ])
    yield {
      name: `a large set, JSON patch: ${shape}`,
      method: 'PATCH',
      path: `${configmaps}/set`,
      type: 'application/json-patch+json',
      body: `[${Array.from({ length: 9000 }, () => operation).join()}]`,
    }
}

function* checkedLists(): Generator<Sent> {
  const create = (shape: string, name: string, lists: string): Sent => ({
    name: `checked lists: ${shape}`,
    method: 'POST',
    path: things,
    body: `{"apiVersion":"worst.example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"checked":{${lists}}}`,
  })
  const numbered = (count: number, item: (at: number) => string) =>
    `[${Array.from({ length: count }, (_, at) => item(at)).join()}]`
  yield create('a set', 'set', `"set":${numbered(190_000, (at) => `"k${at}"`)}`)
  yield create('a set of duplicates', 'duplicates', `"set":${numbered(190_000, (at) => `"k${at >> 1}"`)}`)
  yield create('numbers for strings', 'wrong', `"set":${numbered(190_000, String)}`)
  yield create('a map', 'map', `"map":${numbered(40_000, (at) => `{"name":"k${at}","value":1}`)}`)
  yield create('a map without keys', 'keyless', `"map":${numbered(60_000, () => '{}')}`)
  yield create('long enums', 'enums', `"enums":${numbered(190_000, () => '999')}`)
  yield create('many alternatives', 'alternatives', `"alternatives":${numbered(190_000, () => '"x"')}`)
  yield create('a pattern', 'patterns', `"patterns":["${'ab'.repeat(1_400_000)}"]`)
  yield create('a pattern for many', 'pattern', `"patterns":${numbered(190_000, () => '"abababab"')}`)
  yield {
    name: 'checked lists: a wrong item in a stored map',
    method: 'PATCH',
    path: `${things}/map`,
    type: 'application/json-patch+json',
    body: '[{"op":"replace","path":"/checked/map/39999/value","value":"text"}]',
  }
}

// A body with too many values is refused before it is parsed, so one with just few enough costs more.
function mostAccepted(text: (bytes: number) => string): string {
  const bytes = largest - 300
  const values = text(bytes).replaceAll(/[^,[{]/g, '').length
  return values <= mostValues ? text(bytes) : text(Math.floor((bytes * mostValues) / values))
}

const mostValues = 195_000

function* bodiesOf(shape: string, type: string, value: string): Generator<Sent> {
  for (const [kind, path, field, apiVersion] of places) {
    const isPatch = type.includes('patch')
    const made = `${shape}-${type.slice('application/'.length)}-${value.length}`.replaceAll(/[^a-z0-9]+/g, '-')
    const name = isPatch ? 'small' : made
    // The field of a definition's kind must be an object.
    const given = field === 'spec' ? `{"a":${value}}` : value
    const head = `"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"${name}"}`
    const body = `{${head},"${field}":${given}}`
    yield {
      name: `${type}, ${kind}: ${shape}`,
      method: isPatch ? 'PATCH' : 'POST',
      path: `${path}${isPatch ? '/small' : ''}${type.includes('apply') ? '?fieldManager=a&force=true' : ''}`,
      type,
      // Under the name of YAML, a body that begins with a brace is read as JSON.
      body: type === 'application/yaml' ? ` ${body}` : body,
    }
  }
}

const places = [
  ['ConfigMap', configmaps, 'data', 'v1'],
  ['Thing', things, 'spec', 'worst.example.com/v1'],
] as const

function small(path: string, apiVersion: string, kind: string, also: object = {}): Sent {
  const body = JSON.stringify({ apiVersion, kind, metadata: { name: 'small' }, ...also })
  return { name: `a small ${kind}`, method: 'POST', path, body }
}

function* strategicPatches(): Generator<Sent> {
  const type = 'application/strategic-merge-patch+json'
  const patch = (shape: string, body: string): Sent => ({
    name: `${type}: ${shape}`,
    method: 'PATCH',
    path: `${pods}/small`,
    type,
    body,
  })
  const containers = list(largest - 100, '{"name":"a"}', 29_999)
  yield patch('the same key of a list', `{"spec":{"containers":${containers}}}`)
  const named = Array.from({ length: 29_999 }, (_, at) => `{"name":"c${at}","image":"a"}`).join()
  yield patch('many keys of a list', `{"spec":{"containers":[${named}]}}`)
  const order = Array.from({ length: 29_999 }, (_, at) => `{"name":"c${29_999 - at}"}`).join()
  yield patch('an order of a list', `{"spec":{"$setElementOrder/containers":[${order}],"containers":[${named}]}}`)
  const strings = list(largest - 100, '""')
  yield patch('a set of strings', `{"metadata":{"finalizers":${strings}}}`)
  yield patch('deletions from a set', `{"metadata":{"$deleteFromPrimitiveList/finalizers":${strings}}}`)
  yield patch('unknown lists', `{"x":${list(largest - 100, list(80_000, '{}'))}}`)
}

function* jsonPatches(): Generator<Sent> {
  const type = 'application/json-patch+json'
  const patch = (shape: string, operations: string): Sent => ({
    name: `${type}: ${shape}`,
    method: 'PATCH',
    path: `${things}/small`,
    type,
    body: `[{"op":"add","path":"/spec","value":{}},${operations}]`,
  })
  const many = (operation: string, bytes = largest) =>
    Array.from({ length: Math.min(9000, Math.floor(bytes / (operation.length + 1))) }, () => operation).join()
  const long = list(largest - 600_000, '0')
  const add = `{"op":"add","path":"/spec/a","value":${long}}`
  yield patch('insertions before a long list', `${add},${many('{"op":"add","path":"/spec/a/0","value":0}')}`)
  yield patch('removals from a long list', `${add},${many('{"op":"remove","path":"/spec/a/0"}')}`)
  yield patch('moves in a long list', `${add},${many('{"op":"move","from":"/spec/a/0","path":"/spec/a/9"}')}`)
  yield patch(
    'tests of a long list',
    `{"op":"add","path":"/spec/a","value":${list(1 << 20, '0')}},{"op":"copy","from":"/spec/a","path":"/spec/b"},${many(`{"op":"test","path":"/spec/b","value":${list(1 << 20, '0')}}`, 1 << 20)}`,
  )
  const key = 'k'.repeat(100_000)
  yield patch(
    'copies',
    `{"op":"add","path":"/spec/a","value":"${key}"},${many('{"op":"copy","from":"/spec","path":"/spec/a"}')}`,
  )
  yield patch('deep paths', many(`{"op":"test","path":"/spec${'/a'.repeat(140)}","value":null}`))
  yield patch('unknown operations', list(largest - 100, '{}').slice(1, -1))
}

// Each manager of an object is compared with each write to it.
function* managedFields(): Generator<Sent> {
  const entry = (operation: string, at: number) =>
    `{"manager":"m${at}","operation":"${operation}","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k${at}":{}}}}`
  const managers = (operation: string, count: number) =>
    Array.from({ length: count }, (_, at) => entry(operation, at)).join()
  const create = (shape: string, name: string, given: string, data: string): Sent => ({
    name: `managed fields: ${shape}`,
    method: 'POST',
    path: configmaps,
    body: `{"metadata":{"name":"${name}","managedFields":[${given}]},"data":${data}}`,
  })
  const keys = `{${Array.from({ length: 29_000 }, (_, at) => `"k${at}":""`).join()}}`
  yield create('many updaters', 'updaters', managers('Update', 20_000), '{"a":"b"}')
  yield create('many appliers', 'appliers', managers('Apply', 20_000), '{"a":"b"}')
  yield create('many updaters and fields', 'updaters-fields', managers('Update', 14_000), keys)
  yield create('many appliers and fields', 'appliers-fields', managers('Apply', 14_000), keys)
  yield {
    name: 'managed fields: an apply over many appliers',
    method: 'PATCH',
    path: `${configmaps}/appliers?fieldManager=a&force=true`,
    type: 'application/apply-patch+yaml',
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"appliers"},"data":${keys}}`,
  }
}

function* protobufs(): Generator<Sent> {
  const type = 'application/vnd.kubernetes.protobuf'
  const create = (kind: string, path: string, shape: string, raw: (bytes: number) => Buffer): Sent => ({
    name: `${type}, ${kind}: ${shape}`,
    method: 'POST',
    path,
    type,
    body: envelope(kind, raw(largest - 100)),
  })
  const metadata = (inner: Buffer) => (bytes: number) => field(1, filled(bytes - 20, inner))
  for (const [kind, path] of [
    ['ConfigMap', configmaps],
    ['Pod', pods],
  ] as const) {
    yield create(kind, path, 'owner references', metadata(field(13, none)))
    yield create(kind, path, 'managed fields', metadata(field(17, none)))
    yield create(kind, path, 'finalizers', metadata(field(14, none)))
    yield create(kind, path, 'labels', metadata(field(11, none)))
    yield create(kind, path, 'annotations', metadata(field(12, none)))
    yield create(kind, path, 'names', metadata(field(1, none)))
    yield create(kind, path, 'unknown fields', metadata(Buffer.of(0xf8, 0x7f, 0)))
    yield create(kind, path, 'unknown groups', metadata(Buffer.of(0xfb, 0x7f, 0xfc, 0x7f)))
    yield create(kind, path, 'metadata', (bytes) => filled(bytes, field(1, none)))
    yield create(kind, path, 'timestamps', metadata(field(8, Buffer.of(8, 1))))
  }
  yield create('ConfigMap', configmaps, 'data', (bytes) => filled(bytes, field(2, none)))
  yield create('ConfigMap', configmaps, 'binary data', (bytes) => filled(bytes, field(3, none)))
  yield create('Pod', pods, 'containers', (bytes) => field(2, filled(bytes - 20, field(2, none))))
  yield create('Pod', pods, 'environments', (bytes) => field(2, field(2, filled(bytes - 40, field(7, none)))))
  yield create('Pod', pods, 'arguments', (bytes) => field(2, field(2, filled(bytes - 40, field(4, none)))))
  yield create('Pod', pods, 'packed groups', (bytes) => field(2, field(14, field(4, Buffer.alloc(bytes - 60)))))
}

const none = Buffer.alloc(0)

function envelope(kind: string, raw: Buffer): Buffer {
  const typeMeta = Buffer.concat([field(1, Buffer.from('v1')), field(2, Buffer.from(kind))])
  return Buffer.concat([Buffer.from('k8s\0'), field(1, typeMeta), field(2, raw)])
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(content.length), content])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 0x7f; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
  return Buffer.from([...bytes, value])
}

function filled(bytes: number, item: Buffer): Buffer {
  return Buffer.alloc(Math.floor(bytes / item.length) * item.length, item)
}

function list(bytes: number, item: string, most = Number.POSITIVE_INFINITY): string {
  return `[${repeated(bytes - 2, item, most)}]`
}

function repeated(bytes: number, item: string, most = Number.POSITIVE_INFINITY): string {
  const count = Math.max(1, Math.min(most, Math.floor(bytes / (item.length + 1))))
  return `${`${item},`.repeat(count - 1)}${item}`
}

function fields(bytes: number): string {
  const count = Math.floor(bytes / 11)
  return `{${Array.from({ length: Math.min(count, 29_999) }, (_, at) => `"${at}":0`).join()}}`
}
