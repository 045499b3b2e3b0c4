import type { IdentitySchema, Schema } from '@hykube/tfplugin/schema'
import { stringType, unknown, type Value, valueObject } from '@hykube/tfplugin/value'
import { describe, expect, test } from 'vitest'
import { knownIdentity } from './known-identity.ts'

const words = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const
const attribute = (name: string, computed: boolean) => ({
  ...words,
  name,
  shape: { kind: 'plain', type: stringType } as const,
  required: !computed,
  optional: false,
  computed,
  sensitive: false,
  writeOnly: false,
})
const schema: Schema = {
  version: 0,
  block: { ...words, attributes: [attribute('name', false), attribute('id', true)], blocks: [] },
}

function identity(...names: readonly string[]): IdentitySchema {
  const attributes = names.map((name) => ({
    name: name.replace('?', ''),
    type: stringType,
    requiredForImport: !name.endsWith('?'),
    optionalForImport: name.endsWith('?'),
    description: '',
  }))
  return { version: 0, attributes }
}

const object = (given: Readonly<Record<string, Value>>) => valueObject(given)

describe('an object that is to be made', () => {
  const planned = object({ name: 'a', id: unknown })
  const byName = { kind: 'identity', identity: { name: 'a' } }

  test.each([
    ['by an attribute that its identity is made of', identity('name'), planned, undefined, byName],
    [
      'by the identity that the provider planned',
      identity('arn'),
      planned,
      object({ arn: 'x' }),
      { kind: 'identity', identity: { arn: 'x' } },
    ],
    [
      'by what must be known of its identity, without what may be left out',
      identity('name', 'account?'),
      planned,
      undefined,
      { kind: 'identity', identity: { name: 'a', account: null } },
    ],
    [
      'by an id that the provider planned',
      undefined,
      object({ name: 'a', id: 'i-1' }),
      undefined,
      { kind: 'id', id: 'i-1' },
    ],
    [
      'not by an identity of which a part is not known',
      identity('name', 'id'),
      planned,
      object({ id: unknown }),
      undefined,
    ],
    ['not by an identity that need not say anything', identity('name?'), planned, undefined, undefined],
    ['not when the provider names it', undefined, planned, undefined, undefined],
    ['not when nothing is to be made', identity('name'), null, undefined, undefined],
  ] as const)('can be found %s', (_, its, after, plannedIdentity, expected) => {
    const found = knownIdentity({ schema, ...(its !== undefined && { identity: its }) }, after, plannedIdentity)
    expect(found === undefined ? undefined : structuredCloneOf(found)).toEqual(expected)
  })
})

// Objects of providers have no prototype.
function structuredCloneOf(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object
}
