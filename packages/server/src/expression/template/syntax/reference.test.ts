import { attributeStep, indexStep, keyStep, type Path } from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileTemplate } from '../evaluate/compile-template.ts'
import { type InstanceSelector, type Reference, type ResourceReference, referenceToText } from './reference.ts'

function referencesIn(expression: string): Reference[] {
  return compileTemplate(`\${${expression}}`).references.map(({ reference }) => reference)
}

const vpc: ResourceReference = {
  kind: 'resource',
  data: false,
  type: 'aws_vpc',
  name: 'main',
  instance: { kind: 'none' },
  path: [attributeStep('id')],
}
const web: ResourceReference = { ...vpc, type: 'sim_instance', name: 'web' }

describe('a reference', () => {
  test.each<[string, Reference]>([
    ['aws_vpc.main.id', vpc],
    ['data.aws_ami.ubuntu.id', { ...vpc, data: true, type: 'aws_ami', name: 'ubuntu' }],
    ['aws_vpc["my-vpc"].id', { ...vpc, name: 'my-vpc' }],
    ['aws_vpc["net/main"].id', { ...vpc, namespace: 'net' }],
    ['sim_instance.web[3].id', { ...web, instance: { kind: 'key', key: 3 } }],
    ['sim_instance.web["eu"].id', { ...web, instance: { kind: 'key', key: 'eu' } }],
    ['sim_instance.web[*].id', { ...web, instance: { kind: 'all' } }],
    ['sim_instance.web[ * ].id', { ...web, instance: { kind: 'all' } }],
    ['sim_instance["a/web"][*].id', { ...web, namespace: 'a', instance: { kind: 'all' } }],
    ['sim_instance.web[count.index].id', { ...web, instance: { kind: 'same', by: 'count.index' } }],
    ['sim_instance.web[each.key].id', { ...web, instance: { kind: 'same', by: 'each.key' } }],
    ['provider["aws6"].aws_vpc.main.id', { ...vpc, provider: 'aws6' }],
    ['provider["aws6"].data.aws_ami.x.id', { ...vpc, provider: 'aws6', data: true, type: 'aws_ami', name: 'x' }],
    ['secret["db"].password', { kind: 'secret', name: 'db', key: 'password' }],
    ['secret["ops/db"]["tls.crt"]', { kind: 'secret', namespace: 'ops', name: 'db', key: 'tls.crt' }],
    ['configmap["c"].k', { kind: 'configmap', name: 'c', key: 'k' }],
    ['each.key', { kind: 'each', part: 'key', path: [] }],
    ['each.value.cidr', { kind: 'each', part: 'value', path: [attributeStep('cidr')] }],
    ['count.index', { kind: 'count' }],
    [
      'aws_vpc.main.rule[0].tags["a b"].x',
      {
        ...vpc,
        path: [attributeStep('rule'), indexStep(0), attributeStep('tags'), keyStep('a b'), attributeStep('x')],
      },
    ],
    ['k8s_thing.main.namespace', { ...vpc, type: 'k8s_thing', path: [attributeStep('namespace')] }],
  ])('parses %s', (text, reference) => {
    expect(referencesIn(text)).toEqual([reference])
  })

  test('has a path that ends before the first computed step', () => {
    const rules: Path = [attributeStep('rules')]
    for (const text of ['aws_vpc.main.rules[count.index].id', 'aws_vpc.main.rules.?a.b', 'aws_vpc.main.rules[*].id']) {
      expect(referencesIn(text)[0]).toEqual({ ...vpc, path: rules })
    }
  })

  test('with a computed key selects any instance; references in the key are found too', () => {
    const [instance, key] = referencesIn('sim_instance.web[count.index + 1].id')
    expect(instance).toEqual({ ...web, instance: { kind: 'dynamic' } })
    expect(key).toEqual({ kind: 'count' })
  })

  test.each<[string, string[]]>([
    ['a_b.c.d + e_f.g.h', ['a_b.c.d', 'e_f.g.h']],
    ['a_b.c.list.map(x, x.y.z + d_e.f.g)', ['a_b.c.list', 'd_e.f.g']],
    ['a_b.c.list.map(a_b, a_b.c.d)', ['a_b.c.list']],
    ['a_b.c.list.all(i, v, i.x.y < v.x.y)', ['a_b.c.list']],
    ['cel.bind(x, a_b.c.d, x.e.f + x.g.h)', ['a_b.c.d']],
    ['a_b.c.l.map(count, w_x.y[count.index].z)', ['a_b.c.l', 'w_x.y[...].z']],
    ['has(a_b.c.d) ? a_b.c.d : "x"', ['a_b.c.d', 'a_b.c.d']],
    ['"a_b.c.d" + "[*]" + d_e.f.g /* */', []],
    ['lists.range(3).map(i, i)', []],
    ['a_b.c.d.startsWith("a")', ['a_b.c.d']],
    ['size(a_b.c[*].d)', ['a_b.c[*].d']],
  ])('in %s: %j', (text, expected) => {
    if (text.includes('/*')) expect(() => referencesIn(text)).toThrow()
    else expect(referencesIn(text).map(referenceToText)).toEqual(expected)
  })

  test('keeps [*] inside a string', () => {
    expect(referencesIn('a_b.c["x[*]"].d').map(referenceToText)).toEqual(['a_b.c["x[*]"].d'])
  })

  test('has its position in the template', () => {
    const text = 'ab ${ "x" + aws_vpc.main.id } c'
    const [{ start, end } = { start: 0, end: 0 }] = compileTemplate(text).references
    expect(text.slice(start, end)).toBe('aws_vpc.main.id')
  })

  test('is the same object for equal references of a template', () => {
    const [first, second] = referencesIn('aws_vpc.main.id + aws_vpc.main.id')
    expect(first).toBe(second)
  })

  test('round-trips through its text', () => {
    fc.assert(
      fc.property(anyReference, (reference) => {
        const [read] = referencesIn(referenceToText(reference))
        expect(read).toEqual(reference)
      }),
    )
  })
})

const word = fc
  .stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
  .filter(
    (text) => !['data', 'in', 'each', 'count', 'var', 'local', 'self', 'path', 'ip', 'as', 'if', 'for'].includes(text),
  )
  .map((text) => `t_${text}`)
const objectName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,10}[a-z0-9])?$/)
const anyKey = fc.string({ unit: 'grapheme-ascii', minLength: 1 })
const anyStep = fc.oneof(
  word.map(attributeStep),
  anyKey.map(keyStep),
  fc.nat({ max: 1000 }).map((index) => indexStep(index)),
)
// A bracket directly after the name of an object is an instance key, so a path must start with an attribute.
const anyPath = fc.oneof(
  fc.constant<Path>([]),
  fc.tuple(word.map(attributeStep), fc.array(anyStep, { maxLength: 3 })).map(([first, rest]): Path => [first, ...rest]),
)
const anyInstance = fc.oneof(
  fc.constantFrom<InstanceSelector>(
    { kind: 'none' },
    { kind: 'all' },
    { kind: 'same', by: 'each.key' },
    { kind: 'same', by: 'count.index' },
  ),
  fc.oneof(fc.nat(), anyKey).map((key): InstanceSelector => ({ kind: 'key', key })),
)
const anyReference: fc.Arbitrary<Reference> = fc
  .record({
    provider: fc.option(objectName, { nil: undefined }),
    data: fc.boolean(),
    type: word,
    namespace: fc.option(objectName, { nil: undefined }),
    name: objectName,
    instance: anyInstance,
    path: anyPath,
  })
  .map(({ provider, namespace, ...rest }) => ({
    kind: 'resource' as const,
    ...rest,
    ...(provider !== undefined && { provider }),
    ...(namespace !== undefined && { namespace }),
  }))
