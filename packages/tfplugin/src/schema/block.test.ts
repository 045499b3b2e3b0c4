import { describe, expect, test } from 'vitest'
import {
  boolType,
  dynamicType,
  emptyObject,
  numberType,
  objectType,
  stringType,
  type Type,
  Typed,
  tupleType,
  typeToText,
  valueToMsgpack,
} from '../value/index.ts'
import { emptyBlock } from './empty-value.ts'
import { impliedType } from './implied-type.ts'
import type { Attribute, Block, Nesting } from './schema.ts'

const documented = { description: '', descriptionKind: 'plain', deprecated: false, deprecationMessage: '' } as const
const flags = { required: false, optional: true, computed: false, sensitive: false, writeOnly: false }

function attribute(name: string, type: Type): Attribute {
  return { name, shape: { kind: 'plain', type }, ...flags, ...documented }
}

function block(attributes: readonly Attribute[], nested: Readonly<Record<string, [Nesting, Block]>> = {}): Block {
  const blocks = Object.entries(nested).map(([name, [nesting, of]]) => ({
    name,
    nesting,
    block: of,
    minItems: 0,
    maxItems: 0,
  }))
  return { attributes, blocks, ...documented }
}

describe('a block', () => {
  const leaf = block([attribute('port', numberType)])
  const loose = block([attribute('any', dynamicType)])
  const whole = block(
    [
      attribute('name', stringType),
      {
        ...attribute('nested', stringType),
        shape: { kind: 'nested', nesting: 'map', attributes: [attribute('a', boolType)] },
      },
    ],
    {
      one: ['single', leaf],
      group: ['group', leaf],
      list: ['list', leaf],
      set: ['set', leaf],
      map: ['map', leaf],
      loose_list: ['list', loose],
      loose_map: ['map', loose],
    },
  )

  test('implies the type of its values', () => {
    const texts = Object.fromEntries([...impliedType(whole).attributes].map(([name, type]) => [name, typeToText(type)]))
    expect(texts).toEqual({
      name: 'string',
      nested: 'map(object({a = bool}))',
      one: 'object({port = number})',
      group: 'object({port = number})',
      list: 'list(object({port = number}))',
      set: 'set(object({port = number}))',
      map: 'map(object({port = number}))',
      loose_list: 'dynamic',
      loose_map: 'dynamic',
    })
    expect(impliedType(whole)).toBe(impliedType(whole))
  })

  test('has null attributes and empty collections when it is absent', () => {
    const empty = emptyBlock(whole)
    expect(empty).toEqual({
      name: null,
      nested: null,
      one: null,
      group: { port: null },
      list: [],
      set: [],
      map: {},
      loose_list: new Typed(tupleType([]), []),
      loose_map: new Typed(objectType({}), emptyObject()),
    })
    expect(valueToMsgpack(empty, impliedType(whole)).length).toBeGreaterThan(0)
  })
})
