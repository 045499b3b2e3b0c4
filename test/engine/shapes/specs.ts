import { normaliseBlocks, planInstance } from '@hykube/server/terraform'
import type { ProviderClient } from '@hykube/tfplugin/protocol'
import { type Attribute, type Block, impliedType, type NestedBlock, type Schema } from '@hykube/tfplugin/schema'
import { type Type, valueFromJson } from '@hykube/tfplugin/value'
import type { Dice } from '../differential/configuration.ts'
import type { Declared } from '../differential/declared.ts'
import { write } from '../differential/write-both.ts'

type Json = Readonly<Record<string, unknown>>

/** Generates configurations of a type that its provider accepts. */
export async function generated(
  client: ProviderClient,
  type: string,
  schema: Schema,
  count: number,
  dice: Dice,
): Promise<readonly Declared[]> {
  const all: Declared[] = []
  for (let attempt = 0; all.length < count; attempt++) {
    if (attempt > 60 * count) throw new Error(`${type}: the provider accepts none of ${attempt} configurations`)
    const name = `n${all.length}`
    const spec = content(schema.block, dice, `${type.replaceAll('_', '-')}-${name}`)
    if (await isAccepted(client, type, schema, spec)) all.push(declared(type, name, schema.block, spec))
  }
  return all
}

function declared(type: string, name: string, { blocks }: Block, spec: Json): Declared {
  const isBlock = ([key]: [string, unknown]) => blocks.some((block) => block.name === key)
  const attributes = Object.fromEntries(Object.entries(spec).filter((entry) => !isBlock(entry)))
  return write(type, name, {
    attributes,
    blocks: Object.fromEntries(Object.entries(spec).filter(isBlock)) as Json & object as never,
  })
}

async function isAccepted(client: ProviderClient, typeName: string, schema: Schema, spec: Json): Promise<boolean> {
  const dynamic = schema.block.attributes.filter(({ shape }) => shape.kind === 'plain' && shape.type.kind === 'dynamic')
  const typed = { ...spec, ...Object.fromEntries(dynamic.map(({ name }) => [name, null])) }
  const config = normaliseBlocks(schema, valueFromJson(JSON.stringify(typed), impliedType(schema.block)))
  const lifecycle = { ignoreChanges: [], preventDestroy: false, createBeforeDestroy: false, destroy: true }
  const capabilities = { planDestroy: false }
  const input = {
    address: typeName,
    provider: 'test',
    typeName,
    schema,
    capabilities,
    config,
    configSensitive: [],
    lifecycle,
  }
  return (await planInstance(input, client)).kind === 'planned'
}

function content({ attributes, blocks }: Pick<Block, 'attributes' | 'blocks'>, dice: Dice, name?: string): Json {
  const entries: [string, unknown][] = []
  const prefixed = attributes.some((attribute) => attribute.name === 'name_prefix')
  for (const attribute of attributes) {
    if (attribute.name === 'name' && name !== undefined) {
      if (!prefixed || dice(2) === 0) entries.push(['name', name])
    } else if (isWritten(attribute, dice, name !== undefined))
      entries.push([attribute.name, attributeValue(attribute, dice)])
  }
  for (const block of blocks) {
    const value = block.name === 'timeouts' ? timeouts(dice) : blockValue(block, dice)
    if (value !== undefined) entries.push([block.name, value])
  }
  return Object.fromEntries(entries)
}

function isWritten(
  { name, required, optional, writeOnly, deprecated }: Attribute,
  dice: Dice,
  isTop: boolean,
): boolean {
  if (required) return true
  if (!optional || writeOnly || (isTop && name === 'id')) return false
  return dice(deprecated ? 6 : 2) === 0
}

// A provider chooses a computed value that is empty, so only others are written empty.
function attributeValue({ name, shape, computed, required, sensitive }: Attribute, dice: Dice): unknown {
  // Other values that contain a secret would count as sensitive too.
  if (sensitive && shape.kind === 'plain' && shape.type.kind === 'string') return `secret-${dice(1000)}`
  if (shape.kind === 'plain')
    return name.endsWith('_json') ? pick(dice, documents) : plainValue(shape.type, dice, !computed && !required)
  const one = () => content({ attributes: shape.attributes, blocks: [] }, dice)
  if (shape.nesting === 'single') return one()
  if (shape.nesting === 'map') return Object.fromEntries(['k', 'l'].slice(dice(2)).map((key) => [key, one()]))
  return unique(Array.from({ length: 1 + dice(3) }, one))
}

function blockValue({ nesting, block, minItems, maxItems }: NestedBlock, dice: Dice): unknown {
  if (nesting === 'single' || nesting === 'group') return dice(2) === 0 ? undefined : content(block, dice)
  const length = Math.max(minItems, Math.min(dice(4), maxItems === 0 ? 4 : maxItems))
  return length === 0 ? undefined : unique(Array.from({ length }, () => content(block, dice)))
}

function timeouts(dice: Dice): unknown {
  return dice(2) === 0 ? undefined : { create: '3m' }
}

function plainValue(type: Type, dice: Dice, mayBeZero: boolean): unknown {
  const isZero = mayBeZero && dice(5) === 0
  switch (type.kind) {
    case 'string':
      return isZero ? '' : pick(dice, texts)
    case 'number':
      return isZero ? 0 : pick(dice, numbers)
    case 'bool':
      return mayBeZero ? dice(2) === 0 : true
    case 'map':
      return isZero
        ? {}
        : Object.fromEntries(['k', 'l'].slice(dice(2)).map((key) => [key, plainValue(type.element, dice, false)]))
    case 'list':
    case 'set':
      return isZero
        ? []
        : unique(
            Array.from({ length: 1 + dice(3) }, () => plainValue(type.element, dice, type.element.kind === 'object')),
          )
    case 'object':
      // A member that is left out is null.
      return Object.fromEntries(
        [...type.attributes].filter(() => dice(3) > 0).map(([name, part]) => [name, plainValue(part, dice, mayBeZero)]),
      )
    default:
      return pick<unknown>(dice, ['text', ['a', 'b'], { deep: true }])
  }
}

const texts = ['a', 'b', 'standard', 'Mixed Case', ' padded ', '12', '12.0']
const numbers = [1, 5, 7, 100]
const documents = ['{"b": 1, "a": [1, 2]}', '{ "a" : {"x": null} }', '{"a":{"x":null}}']

function pick<T>(dice: Dice, all: readonly T[]): T {
  return all[dice(all.length)]!
}

function unique<T>(all: readonly T[]): readonly T[] {
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}
