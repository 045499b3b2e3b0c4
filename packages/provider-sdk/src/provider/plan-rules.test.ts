import {
  Decimal,
  equalValues,
  isUnknown,
  pathToText,
  unknown,
  type Value,
  type ValueObject,
  valueObject,
} from '@hykube/tfplugin/value'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeContent } from './content-values.ts'
import { planBySchema } from './plan-rules.ts'
import { attribute } from './schema/attribute.ts'
import { block } from './schema/block.ts'
import { type Content, schema } from './schema/schema.ts'
import { valueType } from './schema/value-type.ts'
import { proposedNew } from './testing/proposed-new.ts'

const machine = schema({
  attributes: {
    id: attribute.string({ computed: true, useStateForUnknown: true }),
    name: attribute.string({ required: true, requiresReplace: true }),
    size: attribute.string({ default: 'small' }),
    tags: attribute.map(valueType.string, { optional: true }),
    token: attribute.string({ optional: true, writeOnly: true }),
    changed: attribute.string({ computed: true }),
    zone: attribute.string({ optional: true, computed: true }),
    disks: attribute.nestedList(
      {
        gb: attribute.number({ required: true }),
        serial: attribute.string({ computed: true, useStateForUnknown: true }),
        kind: attribute.string({ default: 'ssd' }),
      },
      { optional: true },
    ),
    ports: attribute.nestedSet(
      {
        port: attribute.number({ required: true }),
        rule: attribute.string({ computed: true, useStateForUnknown: true }),
      },
      { optional: true },
    ),
  },
  blocks: {
    mounts: block.list({
      attributes: {
        path: attribute.string({ required: true, requiresReplace: true }),
        mode: attribute.string({ default: 'rw' }),
      },
    }),
  },
})

const prior = writeContent(machine, {
  id: 'i-1',
  name: 'web',
  size: 'small',
  changed: 'monday',
  zone: 'a',
  disks: [{ gb: 1, serial: 's1', kind: 'ssd' }],
  ports: [
    { port: 80, rule: 'r80' },
    { port: 443, rule: 'r443' },
  ],
  mounts: [{ path: '/a', mode: 'rw' }],
})

const sameConfig = {
  name: 'web',
  disks: [{ gb: 1 }],
  ports: [{ port: 80 }, { port: 443 }],
  mounts: [{ path: '/a' }],
}

function plan(given: object, before: ValueObject | null = prior) {
  const config = writeContent(machine, given)
  return planBySchema(machine, { config, prior: before, proposed: proposedNew(machine, before, config) })
}

describe('a creation', () => {
  test('plans computed values as unknown and sets defaults, also nested ones', () => {
    const { planned, requiresReplace } = plan({ ...sameConfig, token: 'secret' }, null)
    expect(requiresReplace).toEqual([])
    expect(planned).toMatchObject({
      id: unknown,
      changed: unknown,
      zone: unknown,
      size: 'small',
      token: null,
      tags: null,
    })
    expect(planned.disks).toEqual([valueObject({ gb: Decimal.fromInteger(1), serial: unknown, kind: 'ssd' })])
    expect(planned.mounts).toEqual([valueObject({ path: '/a', mode: 'rw' })])
    expect((planned.ports as ValueObject[]).every(({ rule }) => isUnknown(rule!))).toBe(true)
  })

  test('prefers configured values to computed ones', () => {
    expect(plan({ name: 'web', zone: 'b', size: 'large' }, null).planned).toMatchObject({ zone: 'b', size: 'large' })
  })
})

describe('a change', () => {
  test('without differences plans the prior state', () => {
    const { planned, requiresReplace } = plan(sameConfig)
    expect(equalValues(planned, prior)).toBe(true)
    expect(requiresReplace).toEqual([])
  })

  test('of only a write-only value plans no change', () => {
    expect(equalValues(plan({ ...sameConfig, token: 'new' }).planned, prior)).toBe(true)
  })

  test('makes computed values unknown except those with useStateForUnknown', () => {
    const { planned } = plan({ ...sameConfig, size: 'large' })
    expect(planned).toMatchObject({ id: 'i-1', size: 'large', changed: unknown, zone: unknown })
    expect(planned.disks).toEqual(prior.disks)
    expect(planned.ports).toEqual(prior.ports)
  })

  test('keeps the computed values of unchanged set elements', () => {
    const { planned } = plan({ ...sameConfig, ports: [{ port: 443 }, { port: 8080 }] })
    const rules = new Map((planned.ports as ValueObject[]).map(({ port, rule }) => [String(port), rule]))
    expect(rules).toEqual(
      new Map<string, Value>([
        ['443', 'r443'],
        ['8080', unknown],
      ]),
    )
  })

  test.each([
    ['an attribute', { ...sameConfig, name: 'other' }, ['name']],
    ['an attribute of a block', { ...sameConfig, mounts: [{ path: '/b' }] }, ['mounts[0].path']],
    ['an attribute that becomes unknown', { ...sameConfig, name: unknown }, ['name']],
    ['what can be changed in place', { ...sameConfig, tags: { a: 'b' }, size: 'large' }, []],
  ])('of %s requires replacement according to the schema', (_, given, paths) => {
    expect(plan(given).requiresReplace.map(pathToText)).toEqual(paths)
  })

  test('plans the default again when a value is removed', () => {
    const large = valueObject({ ...prior, size: 'large' })
    expect(plan(sameConfig, large).planned.size).toBe('small')
  })
})

test('modifyPlan of an attribute sets its planned value', () => {
  const counted = schema({
    attributes: {
      name: attribute.string({ required: true }),
      shouted: attribute.string({
        computed: true,
        modifyPlan: ({ planned, prior: before, creating }) => (creating ? planned : `${before}!`),
      }),
    },
  })
  const before = writeContent(counted, { name: 'a', shouted: 'x' })
  const config = writeContent(counted, { name: 'b' })
  const proposed = proposedNew(counted, before, config)
  expect(planBySchema(counted, { config, prior: before, proposed }).planned.shouted).toBe('x!')
})

test('defaults and plans of nested attributes use the author’s representation', () => {
  const nested = schema({
    attributes: {
      name: attribute.string({ required: true }),
      limits: attribute.nested(
        { cpu: attribute.number({ default: 1 }), memory: attribute.number({ optional: true }) },
        { default: { cpu: 2, memory: null } },
      ),
      seen: attribute.nestedMap(
        { at: attribute.number({ computed: true }) },
        { computed: true, modifyPlan: ({ planned, creating }) => (creating ? { first: { at: 7 } } : planned) },
      ),
    },
  })
  const config = writeContent(nested, { name: 'a' })
  const { planned } = planBySchema(nested, { config, prior: null, proposed: proposedNew(nested, null, config) })
  expect(planned.limits).toEqual(valueObject({ cpu: Decimal.fromInteger(2), memory: null }))
  expect(planned.seen).toEqual(valueObject({ first: valueObject({ at: Decimal.fromInteger(7) }) }))
})

describe('for any configuration', () => {
  const text = fc.constantFrom('a', 'b', 'c')
  const opened = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: fc.constant(unknown) })
  const optional = (arbitrary: fc.Arbitrary<unknown>) => fc.option(opened(arbitrary), { nil: null })
  const configs = fc.record({
    name: opened(text),
    size: optional(text),
    zone: optional(text),
    tags: optional(fc.dictionary(text, text, { maxKeys: 2 })),
    token: optional(text),
    disks: fc.option(
      fc.array(fc.record({ gb: fc.integer({ min: 1, max: 3 }), kind: fc.option(text) }), { maxLength: 3 }),
    ),
    ports: fc.option(
      fc.uniqueArray(fc.record({ port: fc.integer({ min: 1, max: 4 }) }), {
        maxLength: 3,
        selector: ({ port }) => port,
      }),
    ),
    mounts: fc.array(fc.record({ path: text, mode: fc.option(text) }), { maxLength: 2 }),
  })

  test('a plan has the configured values, no write-only value, and is stable once applied', () => {
    fc.assert(
      fc.property(configs, configs, (first, second) => {
        const state = applied(plan(known(first), null).planned)
        expect(equalValues(plan(known(first), state).planned, state)).toBe(true)
        const { planned } = plan(second, state)
        expect(planned.token).toBeNull()
        expectSaid(machine, planned, writeContent(machine, second))
        const after = applied(planned)
        expect(equalValues(plan(known(second), after).planned, after) || hasUnknown(second)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  /** Checks that every configured value is in the plan, and that the number of blocks is equal. */
  function expectSaid(content: Content, planned: ValueObject, config: ValueObject): void {
    for (const [name, { options }] of Object.entries(content.attributes)) {
      if (options.writeOnly || name === 'disks' || name === 'ports') continue
      if (config[name] !== null) expect(equalValues(planned[name]!, config[name]!)).toBe(true)
    }
    for (const name of ['disks', 'ports', 'mounts']) {
      expect((planned[name] as Value[] | null)?.length).toBe((config[name] as Value[] | null)?.length)
    }
  }

  function known(given: object): object {
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, isUnknown(value) ? known1(name) : value]),
    )
  }

  function known1(name: string): unknown {
    return name === 'tags' ? {} : 'z'
  }

  function hasUnknown(given: object): boolean {
    return Object.values(given).some(isUnknown)
  }

  /** Returns a state that a provider could produce from a plan. */
  function applied(value: ValueObject): ValueObject {
    const one = (part: Value, name: string): Value => {
      if (isUnknown(part)) return name === 'tags' ? valueObject({}) : `made ${name}`
      if (Array.isArray(part)) return part.map((element) => one(element as Value, name))
      if (part instanceof Decimal || part === null || typeof part !== 'object') return part
      return valueObject(Object.entries(part).map(([key, inner]) => [key, one(inner as Value, key)] as const))
    }
    return one(value, '') as ValueObject
  }
})
