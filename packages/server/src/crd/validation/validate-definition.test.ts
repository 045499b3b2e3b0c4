import type { JsonSchema } from '@hykube/machinery/schema'
import { describe, expect, test } from 'vitest'
import type { Definition } from '../definition.ts'
import { validateDefinition } from './validate-definition.ts'

function definition(changes: Record<string, unknown> = {}, version: Record<string, unknown> = {}): Definition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version },
      ],
      ...changes,
    },
    status: { storedVersions: ['v1'] },
  } as unknown as Definition
}

function withSchema(schema: object): Definition {
  return definition({}, { schema: { openAPIV3Schema: schema as JsonSchema } })
}

function problems(given: Definition, old?: Definition): string[] {
  return validateDefinition(given, old).map(({ field, message }) => `${field}: ${message}`)
}

const schemaField = 'spec.validation.openAPIV3Schema'

describe('a definition', () => {
  test('is accepted when valid', () => {
    expect(problems(definition())).toEqual([])
  })

  test('must be named after its resource and group', () => {
    expect(problems({ ...definition(), metadata: { name: 'other' } })).toEqual([
      'metadata.name: Invalid value: "other": must be spec.names.plural+"."+spec.group',
    ])
  })

  test.each([
    [{ group: '' }, 'spec.group: Required value'],
    [{ group: 'nodot' }, 'spec.group: Invalid value: "nodot": should be a domain with at least one dot'],
    [{ scope: 'Galaxy' }, 'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
    [
      { names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'Widget' } },
      'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same',
    ],
    [{ preserveUnknownFields: true }, 'spec.preserveUnknownFields: Invalid value: true: cannot set to true'],
    [{ conversion: { strategy: 'Magic' } }, 'spec.conversion.strategy: Unsupported value: "Magic"'],
    [
      { versions: [{ name: 'v1', served: true, storage: true }] },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      { versions: [{ name: 'V1!', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] },
      'spec.versions[0].name: Invalid value: "V1!"',
    ],
  ])('with %j is rejected', (changes, words) => {
    expect(problems(definition(changes)).join('\n')).toContain(words)
  })

  test('must have one storage version and unique version names', () => {
    const version = { served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }
    const found = problems(
      definition({
        versions: [
          { name: 'v1', ...version },
          { name: 'v1', ...version },
        ],
      }),
    ).join('\n')
    expect(found).toContain('must contain unique version names')
    expect(found).toContain('must have exactly one version marked as storage version')
  })

  test('with webhook conversion of several versions is rejected', () => {
    const version = { served: true, schema: { openAPIV3Schema: { type: 'object' } } }
    const webhook = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } }
    const versions = [
      { name: 'v1', storage: true, ...version },
      { name: 'v2', storage: false, ...version },
    ]
    expect(problems(definition({ versions, conversion: webhook })).join()).toContain(
      'webhook conversion is not supported',
    )
    expect(problems(definition({ conversion: webhook }))).toEqual([])
  })

  test("in one of Kubernetes' own groups needs approval", () => {
    const own = definition({ group: 'stable.k8s.io' })
    const named = { ...own, metadata: { name: 'widgets.stable.k8s.io' } }
    expect(problems(named).join()).toContain(
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation',
    )
    const approved = { ...named.metadata, annotations: { 'api-approved.kubernetes.io': 'https://example.com/1' } }
    expect(problems({ ...named, metadata: approved })).toEqual([])
  })
})

describe('the schema of a version', () => {
  test.each([
    [
      { type: 'object', properties: { a: {} } },
      `${schemaField}.properties[a].type: Required value: must not be empty for specified object fields`,
    ],
    [
      { type: 'object', properties: { a: { type: 'integer', default: 'x' } } },
      `${schemaField}.properties[a].default: Invalid value`,
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'object', properties: { b: { type: 'string' } }, default: { c: 1 } } },
      },
      `${schemaField}.properties[a].default: Invalid value: {"c":1}: must not have unknown fields`,
    ],
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
      },
      'must not be set in top-level metadata',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', $ref: '#/x' } } },
      `${schemaField}.properties[a].$ref: Forbidden: $ref is not supported`,
    ],
    [{ type: 'object', 'x-kubernetes-preserve-unknown-fields': false }, 'must be true or undefined'],
    [
      { type: 'object', properties: { a: { type: 'string', 'x-kubernetes-map-type': 'atomic' } } },
      'must be object if x-kubernetes-map-type is specified',
    ],
    [
      { type: 'object', properties: { a: { type: 'string', pattern: '(' } } },
      `${schemaField}.properties[a].pattern: Invalid value: "(": must be a valid regular expression`,
    ],
    [{ type: 'object', nullable: true }, `${schemaField}.nullable: Forbidden: nullable cannot be true at the root`],
  ])('%j is rejected', (schema, words) => {
    expect(problems(withSchema(schema)).join('\n')).toContain(words)
  })

  test('must have rules that compile', () => {
    const rules = [{ rule: 'self.b == 1' }]
    const found = problems(
      withSchema({
        type: 'object',
        properties: { a: { type: 'object', properties: {}, 'x-kubernetes-validations': rules } },
      }),
    )
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(
      `${schemaField}.properties[a].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b == 1"`,
    )
    expect(found[0]).toContain("compilation failed: ERROR: <input>:1:5: undefined field 'b'")
  })

  test('may have transition rules only where old and new values can be correlated', () => {
    const items = { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }
    expect(problems(withSchema({ type: 'object', properties: { a: { type: 'array', items } } })).join()).toContain(
      `oldSelf cannot be used on the uncorrelatable portion of the schema within ${schemaField}.properties[a]`,
    )
  })

  test.each([
    [{ rule: ' ' }, 'rule: Required value: rule is not specified'],
    [{ rule: 'true', message: ' ' }, 'message: Invalid value: " ": must be non-empty if specified'],
    [{ rule: 'true\n', message: 'a\nb' }, 'message: Invalid value: "a\\nb": must not contain line breaks'],
    [{ rule: 'true', reason: 'Because' }, 'reason: Unsupported value: "Because"'],
    [{ rule: 'true', fieldPath: '.nope' }, 'fieldPath: Invalid value: ".nope": must be a valid path'],
    [
      { rule: 'true', optionalOldSelf: true },
      'optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule',
    ],
  ])('a rule %j is rejected', (rule, words) => {
    expect(problems(withSchema({ type: 'object', 'x-kubernetes-validations': [rule] })).join()).toContain(words)
  })
})

describe('a version', () => {
  test.each([
    [
      { additionalPrinterColumns: [{ name: 'a', type: 'colour', jsonPath: '.a' }] },
      'type: Invalid value: "colour": must be one of boolean,date,integer,number,string',
    ],
    [
      { additionalPrinterColumns: [{ name: 'a', type: 'string', jsonPath: 'a' }] },
      'JSONPath: Invalid value: "a": must be a simple json path starting with .',
    ],
    [
      { subresources: { scale: { specReplicasPath: '.a', statusReplicasPath: '.status.b' } } },
      'scale.specReplicasPath: Invalid value: ".a": should be a json path under .spec',
    ],
    [
      { selectableFields: [{ jsonPath: '.spec.nope' }] },
      'selectableFields[0].jsonPath: Invalid value: ".spec.nope": is an invalid path',
    ],
    [{ deprecationWarning: 'x' }, 'deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
  ])('with %j is rejected', (version, words) => {
    expect(problems(definition({}, version)).join()).toContain(words)
  })

  test('has at most eight selectable fields', () => {
    const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, { type: 'string' }]))
    const selectableFields = Object.keys(properties).map((name) => ({ jsonPath: `.${name}` }))
    const schema = { openAPIV3Schema: { type: 'object', properties } }
    expect(problems(definition({}, { schema, selectableFields }))).toEqual([
      'spec.selectableFields: Too many: 9: must have at most 8 items',
    ])
  })
})

describe('a change of a definition', () => {
  const established = {
    ...definition(),
    status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] },
  } as unknown as Definition

  test('can not change immutable fields', () => {
    const changed = { ...established, spec: { ...established.spec, scope: 'Cluster', group: 'other.com' } }
    expect(problems(changed, established)).toEqual([
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.group: Invalid value: "other.com": field is immutable',
    ])
  })

  test('must keep versions in which objects may be stored', () => {
    const versions = [{ ...established.spec.versions[0]!, name: 'v2' }]
    const changed = {
      ...established,
      spec: { ...established.spec, versions },
      status: { ...established.status, storedVersions: ['v1', 'v2'] },
    }
    expect(problems(changed, established).join()).toContain(
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version',
    )
  })
})

describe('a definition whose validation would block the event loop', () => {
  const manyOf = (count: number, schema: (at: number) => object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, schema(at)]))
  const many = (count: number, schema: object) => manyOf(count, () => schema)
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } }
  const nested = (levels: number): object => (levels === 0 ? {} : { anyOf: [nested(levels - 1)] })

  test.each<[string, object]>([
    ['50000 schemas', { properties: many(50_001, { type: 'string' }) }],
    ['1000 different patterns', { properties: manyOf(1_500, (i) => ({ type: 'string', pattern: `a+${i}` })) }],
    [
      '65536 characters in different patterns',
      { properties: many(1, { type: 'string', pattern: 'a'.repeat(100_000) }) },
    ],
    [
      '262144 characters in validation rules',
      { 'x-kubernetes-validations': [{ rule: `true${' && true'.repeat(300_000)}` }] },
    ],
    ['100 nested levels of schemas', deep(101)],
    ['5 nested levels of allOf, anyOf, oneOf and not', nested(6)],
  ])('is rejected above %s', (limit, schema) => {
    const started = process.cpuUsage()
    expect(problems(withSchema({ type: 'object', ...schema }))).toEqual([
      expect.stringMatching(new RegExp(`^spec.versions: Invalid value: \\d+: must have at most ${limit}$`)),
    ])
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(250)
  })

  test('may repeat a pattern, as generated definitions do', () => {
    const properties = many(5_000, { type: 'string', pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))$' })
    expect(problems(withSchema({ type: 'object', properties }))).toEqual([])
  })

  test('takes less than 250 ms at the limits', () => {
    const properties = manyOf(1_000, (i) => ({ type: 'string', pattern: `^${i}${'[a-z0-9]{0,100}'.repeat(3)}$` }))
    const started = process.cpuUsage()
    expect(problems(withSchema({ type: 'object', properties }))).toEqual([])
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(250)
  })
})
