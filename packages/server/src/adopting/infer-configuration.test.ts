import type { PlanResourceChangeRequest, ProviderDiagnostic, ValidateConfigRequest } from '@hykube/tfplugin/protocol'
import type { Schema } from '@hykube/tfplugin/schema'
import {
  attributeStep,
  boolType,
  Decimal,
  numberType,
  type Value,
  type ValueObject,
  valueObject,
} from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import type { InstanceState, ResourceKind } from '../model/index.ts'
import { attribute, fakeProvider, instanceOf, nestedBlock, objectOf, schema } from '../terraform/testing/index.ts'
import { inferConfiguration } from './infer-configuration.ts'

const zero = Decimal.fromInteger(0)
const things = schema(
  [
    attribute('name', 'required'),
    attribute('id', 'optional computed'),
    attribute('arn', 'computed'),
    attribute('a'),
    attribute('b', 'optional computed'),
    attribute('c', 'optional computed'),
    attribute('level', 'optional computed', numberType),
    attribute('size', 'optional', numberType),
    attribute('open', 'optional', boolType),
    { ...attribute('old'), deprecated: true },
    attribute('password', 'optional sensitive'),
  ],
  [
    nestedBlock('timeouts', 'single', [attribute('create')]),
    nestedBlock('disk', 'list', [attribute('kind', 'optional computed')]),
  ],
)
const state = (given: Readonly<Record<string, Value>>): InstanceState => ({
  value: objectOf(things, { name: 'n', id: 'i-1', arn: 'arn:1', ...given }),
  private: new Uint8Array(0),
  schemaVersion: 0,
  status: 'ready',
  sensitivePaths: [],
})

type Answers = Parameters<typeof fakeProvider>[0]

async function infer(
  prior: InstanceState | readonly InstanceState[],
  answers: Answers = {},
  generated?: Value,
  of: Schema = things,
) {
  const port = fakeProvider(answers)
  const session = { port, generateConfig: async () => generated }
  const kind = { type: 'sim_thing', schema: of } as ResourceKind
  const { choice, changes } = await inferConfiguration(kind, instanceOf(of), [prior].flat(), session)
  const { planResourceChange } = Object.groupBy(port.calls, ({ rpc }) => rpc)
  const last = planResourceChange?.at(-1)?.request as PlanResourceChangeRequest | undefined
  const config = Object.fromEntries(
    Object.entries((last?.config ?? {}) as ValueObject).filter(([, value]) => value !== null && !isEmpty(value)),
  )
  const rounds = port.calls.filter(({ rpc }) => rpc === 'validateResourceConfig').length
  return { config, changes, choice, rounds }
}

const isEmpty = (value: Value) => Array.isArray(value) && value.length === 0

/** Answers a validation with an error if the configuration breaks a rule. */
function rule(problem: (config: ValueObject) => string | undefined): Answers {
  return {
    validateResourceConfig: ({ config }: ValidateConfigRequest) => {
      const detail = problem(config as ValueObject)
      const error: ProviderDiagnostic = { severity: 'error', summary: 'Invalid', detail: detail ?? '' }
      return detail === undefined ? {} : { diagnostics: [error] }
    },
  }
}

describe('the configuration of an adopted resource', () => {
  test('is what is required, and what is optional, not computed and not zero', async () => {
    const prior = state({ a: 'x', b: 'y', size: Decimal.fromInteger(3) })
    expect(await infer(prior)).toMatchObject({
      config: { name: 'n', a: 'x', size: Decimal.fromInteger(3) },
      changes: [],
      rounds: 1,
    })
  })

  test('gets a zero value, a deprecated attribute and a block when a plan would change them', async () => {
    const timeouts = valueObject({ create: '3m' })
    const disk = [valueObject({ kind: 'ssd' })]
    const prior = state({ size: zero, open: false, old: 'o', timeouts, disk })
    const { config, changes } = await infer(prior)
    expect(config).toEqual({
      name: 'n',
      size: zero,
      open: false,
      old: 'o',
      timeouts,
      disk: [valueObject({ kind: null })],
    })
    expect(changes).toEqual([])
  })

  test('gets what is computed inside of a block only when a plan would change it', async () => {
    const disk = [valueObject({ kind: 'ssd' })]
    const answers: Answers = {
      planResourceChange: ({ config, proposedNewState }: PlanResourceChangeRequest) => ({
        plannedState: valueObject({ ...(proposedNewState as ValueObject), disk: (config as ValueObject).disk! }),
      }),
    }
    expect((await infer(state({ disk }), answers)).config).toEqual({ name: 'n', disk })
  })

  test('of many instances gets no more than that of one', async () => {
    const disk = [valueObject({ kind: 'ssd' })]
    const { config, rounds } = await infer(Array.from({ length: 3 }, () => state({ disk })))
    expect(config).toEqual({ name: 'n', disk: [valueObject({ kind: null })] })
    expect(rounds).toBe(6)
  })

  test('gets a computed value that would no longer be sensitive', async () => {
    const level = Decimal.fromInteger(3)
    const sensitive = { ...state({ b: 'hunter2', level }), sensitivePaths: [[attributeStep('level')]] }
    expect(await infer(sensitive)).toMatchObject({ config: { name: 'n', level }, changes: [] })
  })

  test('never has the id', async () => {
    const answers = rule(({ id }) => (id === null ? '"id": one of `id` must be specified' : undefined))
    const { config, changes } = await infer(state({}), answers)
    expect(config).not.toHaveProperty('id')
    expect(changes).toEqual(['the provider refuses the generated spec: Invalid: "id": one of `id` must be specified'])
  })

  test.each<[string, Readonly<Record<string, Value>>, Answers, object]>([
    [
      'gets one of several of which one must be there',
      { b: 'y', c: 'z' },
      rule(({ b, c }) => (b === null && c === null ? '"b": one of `b,c` must be specified' : undefined)),
      { name: 'n', b: 'y' },
    ],
    [
      'gets what is required with another',
      { a: 'x', b: 'y' },
      rule(({ a, b }) => (a !== null && b === null ? '"a": all of `a,b` must be specified' : undefined)),
      { name: 'n', a: 'x', b: 'y' },
    ],
    [
      'loses what is required with something that the state lacks',
      { a: 'x' },
      rule(({ a, b }) => (a !== null && b === null ? '"a": all of `a,b` must be specified' : undefined)),
      { name: 'n' },
    ],
    [
      'loses an attribute that conflicts',
      { a: 'x', size: Decimal.fromInteger(1) },
      rule(({ a, size }) => (a !== null && size !== null ? '"a": conflicts with size' : undefined)),
      { name: 'n', size: Decimal.fromInteger(1) },
    ],
    [
      'loses a value that is not accepted',
      { size: Decimal.fromInteger(1) },
      rule(({ size }) => (size !== null ? 'expected "size" to be in the range (2 - 3)' : undefined)),
      { name: 'n' },
    ],
  ])('%s', async (_, given, answers, config) => {
    expect((await infer(state(given), answers)).config).toEqual(config)
  })

  test('begins without what the configuration of the provider leaves out', async () => {
    const generated = objectOf(things, { name: 'n', b: 'y' })
    const legacy: Answers = {
      planResourceChange: ({ priorState }) => ({ plannedState: priorState, legacyTypeSystem: true }),
    }
    expect(await infer(state({ a: 'x', b: 'y' }), legacy, generated)).toMatchObject({
      config: { name: 'n' },
      rounds: 1,
    })
    expect((await infer(state({ a: 'x', b: 'y' }), {}, generated)).config).toEqual({ name: 'n', a: 'x' })
  })
})

describe('the remaining changes of a plan', () => {
  const always = (after: Readonly<Record<string, Value>>): Answers => ({
    planResourceChange: ({ proposedNewState }: PlanResourceChangeRequest) => ({
      plannedState: valueObject({ ...(proposedNewState as ValueObject), ...after }),
      legacyTypeSystem: true,
    }),
  })

  test('are reported with both values', async () => {
    const { changes, rounds } = await infer(
      state({ a: 'x', size: zero }),
      always({ a: 'z', size: Decimal.fromInteger(7) }),
    )
    expect(changes).toEqual(['a plan would change a: "x" → "z"', 'a plan would change size: 0 → 7'])
    expect(rounds).toBeLessThanOrEqual(8)
  })

  test('are reported without values that are sensitive', async () => {
    const { changes } = await infer(state({ password: 'hunter2' }), always({ password: 'hunter3' }))
    expect(changes).toEqual(['a plan would change password: (sensitive value)'])
  })

  test('are reported after eight rounds at most', async () => {
    let asked = 0
    const endless = rule(
      () => `"${['a', 'b', 'c', 'old', 'size', 'open', 'password', 'disk', 'timeouts'][asked++]}" is wrong`,
    )
    const prior = state({ a: 'x', b: 'y', c: 'z', old: 'o', size: Decimal.fromInteger(1), open: true, password: 'p' })
    expect((await infer(prior, endless)).rounds).toBeLessThanOrEqual(8)
  })
})
