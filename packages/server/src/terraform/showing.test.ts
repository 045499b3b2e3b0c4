import {
  attributeStep,
  Decimal,
  dynamicType,
  indexStep,
  keyStep,
  listType,
  mapType,
  numberType,
  setType,
  stringType,
  Typed,
  unknown,
} from '@hykube/tfplugin/value'
import { expect, test } from 'vitest'
import { type Action, actionInPlanJson, isApprovedAction } from './action.ts'
import type { PlannedChange } from './calls/planned-instance.ts'
import { changeToJson } from './change-json.ts'
import { ignoreChanges } from './ignore-changes.ts'
import { publicAttributes } from './secrets/public-attributes.ts'
import { scrub, scrubText, sensitiveStrings } from './secrets/scrub.ts'
import { at } from './testing/instances.ts'
import { attribute, nestedAttribute, nestedBlock, object, objectOf, schema } from './testing/schemas.ts'

const its = schema(
  [
    attribute('name'),
    attribute('password', 'computed sensitive'),
    attribute('token', 'optional writeOnly'),
    attribute('size', 'optional', numberType),
    attribute('tags', 'optional', mapType(stringType)),
    attribute('keys', 'optional', listType(stringType)),
    attribute('groups', 'optional', setType(stringType)),
    attribute('any', 'optional', dynamicType),
    nestedAttribute('login', 'single', [attribute('user'), attribute('pin', 'optional sensitive')]),
  ],
  [
    nestedBlock('rules', 'list', [
      attribute('port', 'optional', numberType),
      attribute('secret', 'optional sensitive'),
    ]),
  ],
)
const full = objectOf(its, {
  name: 'a',
  password: 'hunter2',
  size: Decimal.fromInteger(3),
  tags: object({ a: '1', b: '2' }),
  keys: ['x', 'y'],
  groups: ['g', 'h'],
  any: new Typed(numberType, Decimal.parse('12345678901234567890')!),
  login: object({ user: 'u', pin: '4711' }),
  rules: [object({ port: Decimal.fromInteger(1), secret: 's1' })],
})
const fromSecrets = [
  [attributeStep('tags'), keyStep('a')],
  [attributeStep('keys'), indexStep(0)],
  [attributeStep('groups'), indexStep(1)],
]

test('public values have neither sensitive nor write-only ones, and numbers without loss', () => {
  expect(publicAttributes(its, full, fromSecrets)).toEqual({
    name: 'a',
    size: 3,
    tags: { b: '2' },
    keys: [null, 'y'],
    any: '12345678901234567890',
    login: { user: 'u' },
    rules: [{ port: 1 }],
  })
})

function change(given: Partial<PlannedChange>): PlannedChange {
  return {
    kind: 'planned',
    action: 'update',
    before: full,
    after: full,
    plannedPrivate: new Uint8Array(0),
    requiredReplace: [],
    beforeSensitive: [],
    afterSensitive: [],
    diagnostics: [],
    notes: [],
    ...given,
  }
}

test('a change is shown in the shapes of plan JSON, without sensitive values', () => {
  const after = objectOf(its, {
    ...full,
    name: unknown,
    password: unknown,
    keys: ['x', unknown],
    tags: unknown,
    any: null,
  })
  const shown = changeToJson(
    its,
    change({
      after,
      afterSensitive: fromSecrets,
      requiredReplace: [at('name'), [attributeStep('rules'), indexStep(0)]],
    }),
  )
  expect(shown.before).toMatchObject({
    password: null,
    login: { user: 'u', pin: null },
    rules: [{ port: 1, secret: null }],
    token: null,
  })
  expect(shown.before_sensitive).toEqual({
    password: true,
    tags: {},
    keys: [false, false],
    groups: [false, false],
    login: { pin: true },
    rules: [{ secret: true }],
  })
  expect(shown.after).toEqual({
    size: 3,
    token: null,
    keys: [null, null],
    groups: null,
    any: null,
    login: { user: 'u', pin: null },
    rules: [{ port: 1, secret: null }],
  })
  expect(shown.after_unknown).toEqual({
    name: true,
    password: true,
    tags: true,
    keys: [false, true],
    groups: [false, false],
    login: {},
    rules: [{}],
  })
  expect(shown.after_sensitive).toEqual({
    password: true,
    tags: {},
    keys: [true, false],
    groups: true,
    login: { pin: true },
    rules: [{ secret: true }],
  })
  expect(shown.replace_paths).toEqual([['name'], ['rules', 0]])
})

test('a create and a delete have an empty side', () => {
  const deleted = changeToJson(its, change({ action: 'delete', after: null }))
  expect(deleted).toMatchObject({ actions: ['delete'], after: null, after_unknown: {}, after_sensitive: false })
  const created = changeToJson(its, change({ action: 'create', before: null }))
  expect(created).toMatchObject({ actions: ['create'], before: null, before_sensitive: false })
  expect(created).not.toHaveProperty('replace_paths')
})

test('secrets are taken out of diagnostics, however they are written', () => {
  const secrets = sensitiveStrings(its, objectOf(its, { ...full, token: 'p"q/r s\nsecond line' }), fromSecrets)
  expect(secrets.sort()).toEqual(['1', '4711', 'g', 'h', 'hunter2', 'p"q/r s\nsecond line', 's1', 'x'].sort())
  const [clean] = scrub(
    [
      {
        severity: 'error',
        summary: 'hunter2 is bad',
        detail:
          'login with "hunter2xyz" at https://host/?t=p%22q%2Fr%20s%0Asecond%20line and "p\\"q/r s\\nsecond line", 4711; second line; x, but not xylophone',
        path: 'tags["hunter2"]',
        attribute: [attributeStep('tags'), keyStep('hunter2')],
      },
    ],
    secrets,
  )
  const text = JSON.stringify(clean)
  for (const secret of ['hunter2', 'p%22q', 'p\\\\\\"q', '4711', 'second line']) expect(text).not.toContain(secret)
  expect(clean!.detail).toContain('but not xylophone')
  expect(clean!.detail).not.toContain(' x,')
  expect(clean).toMatchObject({ severity: 'error' })
})

test('without secrets diagnostics stay as they are', () => {
  const diagnostics = [{ severity: 'warning' as const, summary: 'Old' }]
  expect(scrub(diagnostics, [''])).toBe(diagnostics)
  expect(scrubText('a.b', ['a.b'])).toBe('(sensitive value)')
  expect(scrubText('axb', ['a.b'])).toBe('axb')
})

test.each<[Action, Action, boolean]>([
  ['update', 'update', true],
  ['update', 'noop', true],
  ['noop', 'update', false],
  ['update', 'create', false],
  ['create', 'update', false],
  ['delete-then-create', 'create', true],
  ['create-then-delete', 'create', true],
  ['forget-then-create', 'create', true],
  ['delete-then-create', 'update', false],
  ['create-then-delete', 'delete-then-create', false],
])('%s approved and %s now: %s', (approved, final, allowed) => {
  expect(isApprovedAction(approved, final)).toBe(allowed)
})

test.each<[Action, string[]]>([
  ['noop', ['no-op']],
  ['read', ['read']],
  ['delete-then-create', ['delete', 'create']],
  ['create-then-delete', ['create', 'delete']],
  ['forget-then-create', ['forget', 'create']],
  ['forget', ['forget']],
])('%s is %j in plan JSON', (action, words) => {
  expect(actionInPlanJson(action)).toEqual(words)
})

test.each([
  ['a whole attribute', [at('name')], { name: 'b' }, { name: 'a' }],
  [
    'one key of a map',
    [[attributeStep('tags'), keyStep('a')]],
    { tags: object({ a: '9', b: '8' }) },
    { tags: object({ a: '1', b: '8' }) },
  ],
  [
    'a key that was not there',
    [[attributeStep('tags'), keyStep('c')]],
    { tags: object({ c: '9' }) },
    { tags: object({}) },
  ],
  ['a key that is no more', [[attributeStep('tags'), keyStep('a')]], { tags: null }, { tags: object({ a: '1' }) }],
  ['a key of an unknown map', [[attributeStep('tags'), keyStep('a')]], { tags: unknown }, { tags: unknown }],
  [
    'within a block',
    [[attributeStep('rules'), indexStep(0), attributeStep('port')]],
    { rules: [object({ port: null, secret: 'new' })] },
    { rules: [object({ port: Decimal.fromInteger(1), secret: 'new' })] },
  ],
  [
    'a block that was not there',
    [[attributeStep('rules'), indexStep(1), attributeStep('port')]],
    { name: 'b' },
    { name: 'b' },
  ],
])('ignored: %s', (_, paths, given, expected) => {
  const config = objectOf(its, { ...full, password: null, ...given })
  expect(ignoreChanges(full, config, paths, its)).toEqual(objectOf(its, { ...full, password: null, ...expected }))
})

test('with all changes ignored the configuration is the state without what is only computed', () => {
  expect(ignoreChanges(full, objectOf(its, { name: 'b' }), 'all', its)).toEqual(
    objectOf(its, { ...full, password: null }),
  )
  expect(ignoreChanges(null, full, 'all', its)).toBe(full)
})
