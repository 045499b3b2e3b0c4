import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import type { Attribute, Block, NestedBlock } from '@hykube/tfplugin/schema'
import {
  boolType,
  listType,
  mapType,
  numberType,
  objectType,
  setType,
  stringType,
  type Type,
} from '@hykube/tfplugin/value'
import { BlockLibrary } from './block-library.ts'
import { Dice } from './dice.ts'
import { blockIn, blockOf, plain, providerOf } from './schema-builder.ts'

/**
 * A schema of the measured shape of the AWS provider 6.0: 1,506 resource types and 607 data sources; 81,238 attributes of
 * resources, median 11 a type, 32 at the 90th and 131 at the 99th percentile, one with 12,441; five types hold most of
 * them, in blocks that lie up to 15 deep and are often equal; 97 types with sensitive attributes; names of up to 64
 * (resources) and 69 (data sources) characters. The same every time.
 */
export function largeSchema(): ProviderSchema {
  const dice = new Dice(6)
  const names = resourceNames(dice)
  const resources: Record<string, Block> = {}
  for (const [index, name] of names.entries()) {
    const size = quantile(attributeQuantiles, (index + 0.5) / names.length)
    resources[name] = usualType(dice, Math.round(size), index % 15 === 7 && index < 15 * shape.withSecrets)
  }
  const left = shape.attributes - Object.values(resources).reduce((sum, block) => sum + attributesIn(block), 0)
  Object.assign(resources, giantTypes(dice, left))
  const dataSources = Object.fromEntries(
    dataSourceNames(names).map((name, index) => [name, usualType(dice, 4 + (index % 19), false)]),
  )
  return providerOf(resources, dataSources)
}

/** The number of attributes of a block and all blocks inside it. */
export function attributesIn(block: Block): number {
  return block.attributes.length + block.blocks.reduce((sum, inner) => sum + attributesIn(inner.block), 0)
}

/** The number of blocks inside a block, at any depth. */
export function blocksIn(block: Block): number {
  return block.blocks.reduce((sum, inner) => sum + 1 + blocksIn(inner.block), 0)
}

/** The depth of a block: 1 without blocks inside. */
export function depthOf(block: Block): number {
  return 1 + Math.max(0, ...block.blocks.map((inner) => depthOf(inner.block)))
}

const shape = {
  resources: 1506,
  dataSources: 607,
  attributes: 81_238,
  largest: 12_441,
  mostBlocks: 9_828,
  giants: 5,
  withSecrets: 97,
}

// Percentile of types and number of attributes. The five largest types are added separately, which shifts percentiles a little.
const attributeQuantiles: readonly (readonly [share: number, size: number])[] = [
  [0, 4],
  [0.502, 11],
  [0.90306, 32],
  [0.99301, 131],
  [1, 420],
]

function quantile(points: readonly (readonly [number, number])[], share: number): number {
  const next = points.findIndex(([upTo]) => share <= upTo)
  const [from, low] = points[Math.max(0, next - 1)]!
  const [to, high] = points[next]!
  // Sizes are distributed as in the real provider: many small, few large.
  return to === from ? low : low * (high / low) ** ((share - from) / (to - from))
}

function usualType(dice: Dice, size: number, hasSecret: boolean): Block {
  const always = [
    plain('id', stringType, { computed: true }),
    plain('arn', stringType, { computed: true }),
    plain('name', stringType, { required: true }),
    ...(hasSecret ? [plain('password', stringType, { optional: true, sensitive: true })] : []),
    ...(size > 8
      ? [plain('tags', mapType(stringType)), plain('tags_all', mapType(stringType), { computed: true })]
      : []),
  ].slice(0, size)
  // Half of all types have a block or two; large ones have many.
  const inBlocks = size > 9 ? Math.floor((size - always.length) * (size > 32 ? 0.85 : 0.45)) : 0
  const own = attributes(dice, size - always.length - inBlocks)
  const isLarge = size > 100
  const deep = isLarge ? [blockIn('settings', 'list', chain(dice, deepest), { maxItems: 1 })] : []
  const rest = nestedBlocks(dice, inBlocks - deep.length * deepest, isLarge ? 3 : 2, isLarge ? 3.1 : 7)
  return blockOf([...always, ...own], [...deep, ...rest])
}

// The depth of blocks in large types, which are one percent of all types.
const deepest = 6

function chain(dice: Dice, depth: number): Block {
  const inner = depth === 1 ? [] : [blockIn(dice.pick(words), 'list', chain(dice, depth - 1), { maxItems: 1 })]
  return blockOf(attributes(dice, 1), inner)
}

function attributes(dice: Dice, count: number): Attribute[] {
  const taken = new Set<string>()
  while (taken.size < count) taken.add(`${dice.pick(words)}_${dice.pick(words)}${taken.size > 60 ? taken.size : ''}`)
  return [...taken].map((name) => {
    const computed = dice.chance(0.25)
    const flags = computed
      ? { computed, optional: dice.chance(0.5) }
      : dice.chance(0.2)
        ? { required: true }
        : { optional: true }
    const text = {
      description: dice.chance(0.02)
        ? `The ${name.replaceAll('_', ' ')} of the resource, as the service reports it.`
        : '',
    }
    return plain(name, attributeTypeOf(dice), { ...flags, ...text })
  })
}

function attributeTypeOf(dice: Dice): Type {
  const at = dice.next()
  if (at < 0.62) return stringType
  if (at < 0.74) return numberType
  if (at < 0.86) return boolType
  if (at < 0.91) return listType(stringType)
  if (at < 0.95) return setType(stringType)
  return at < 0.98 ? mapType(stringType) : listType(objectType({ key: stringType, value: stringType }))
}

// A service has the same blocks in several of its types.
const blocksOf = new WeakMap<Dice, Map<string, Block[]>>()

function someBlock(dice: Dice, size: number, depth: number): Block {
  const key = `${size} ${depth}`
  const blocks = blocksOf.get(dice) ?? new Map<string, Block[]>()
  blocksOf.set(dice, blocks)
  const known = blocks.get(key) ?? []
  if (known.length > 0 && dice.chance(0.52)) return dice.pick(known)
  const deeper = depth > 1 && size > 4 ? Math.floor(size / 2) : 0
  const block = blockOf(attributes(dice, size - deeper), nestedBlocks(dice, deeper, depth - 1))
  blocks.set(key, [...known, block])
  return block
}

function nestedBlocks(dice: Dice, size: number, depth: number, largest = 7): NestedBlock[] {
  const blocks: NestedBlock[] = []
  for (let left = size; left > 0; ) {
    const part = Math.min(left, 1 + Math.floor(dice.next() * largest))
    const inner = someBlock(dice, part, depth)
    // The same block has the same nesting everywhere.
    const nesting = inner.attributes.length % 3 === 0 ? 'set' : 'list'
    const maxItems = inner.attributes.length % 2
    blocks.push(blockIn(`${dice.pick(words)}_${blocks.length}`, nesting, inner, { maxItems }))
    left -= part
  }
  return blocks
}

// Three types of one service and two of another repeat the same few hundred blocks.
function giantTypes(dice: Dice, attributesLeft: number): Record<string, Block> {
  const library = new BlockLibrary(dice, words)
  const rest = attributesLeft - 3 * shape.largest
  const sizes = [shape.largest, shape.largest, shape.largest, Math.ceil(rest / 2), Math.floor(rest / 2)]
  return Object.fromEntries(
    sizes.map((size, index) => {
      const blocks = Math.round((size * shape.mostBlocks) / shape.largest)
      return [
        `aws_giant_${['dashboard', 'analysis', 'template', 'web_acl', 'rule_group'][index]}`,
        library.assemble(size, blocks),
      ]
    }),
  )
}

function resourceNames(dice: Dice): string[] {
  const names = new Set(['aws_lakeformation_resource_lf_tag', 'aws_lakeformation_resource_lf_tags', longName(64)])
  while (names.size < shape.resources - shape.giants) {
    const count = 1 + Math.floor(dice.next() * 4)
    names.add(['aws', ...Array.from({ length: count }, () => dice.pick(words))].join('_'))
  }
  return [...names]
}

// Many data sources exist in pairs: one for a single object, one for all objects.
function dataSourceNames(resources: readonly string[]): string[] {
  const ordinary = resources.filter((name) => !name.endsWith('s')).slice(0, shape.dataSources - 89)
  return [...new Set([...ordinary, ...ordinary.slice(0, 88).map((name) => `${name}s`), longName(69)])]
}

function longName(length: number): string {
  return `aws_${'networkfirewall_'.repeat(5)}`.slice(0, length - 1).padEnd(length, 'x')
}

const words: readonly string[] = (
  'access account action agent alarm alias api app archive association attachment backup bucket cache catalog ' +
  'certificate channel cluster configuration connection connector contact control cost data database default delivery ' +
  'deployment destination detector device directory distribution domain endpoint event filter firewall function gateway ' +
  'group host identity image index instance integration key lambda launch layer lifecycle listener log managed metric ' +
  'model monitor network notification option origin package parameter partition peering permission pipeline policy pool ' +
  'portfolio profile protection proxy queue record region replication repository resolver role route rule schedule schema ' +
  'secret security service session setting share snapshot source stage state stream subnet subscription table tag target ' +
  'task template theme topic trail transit trigger trust user vault version volume vpc workspace'
).split(' ')
