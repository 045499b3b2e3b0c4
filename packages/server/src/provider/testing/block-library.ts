import type { Attribute, Block } from '@hykube/tfplugin/schema'
import { boolType, numberType, stringType } from '@hykube/tfplugin/value'
import type { Dice } from './dice.ts'
import { blockIn, blockOf, plain } from './schema-builder.ts'

/** Nested blocks for very large types, which in real providers repeat the same blocks in many places. */
export class BlockLibrary {
  readonly #dice: Dice
  readonly #words: readonly string[]
  /** By depth. */
  readonly #shelves: Entry[][] = []

  constructor(dice: Dice, words: readonly string[]) {
    this.#dice = dice
    this.#words = words
    for (let depth = 1; depth <= deepest; depth++) this.#shelves.push(this.#shelf(depth))
  }

  /** A type with exactly this many attributes in exactly this many blocks, at least a hundred. */
  assemble(attributes: number, blocks: number): Block {
    const parts: Block[] = []
    let [attributesLeft, blocksLeft] = [attributes, blocks - leaves]
    for (const shelf of this.#shelves.toReversed())
      for (let tries = 0; tries < 40; tries++) {
        const entry = this.#dice.pick(shelf)
        if (entry.attributes > attributesLeft || entry.blocks > blocksLeft) continue
        parts.push(entry.block)
        attributesLeft -= entry.attributes
        blocksLeft -= entry.blocks
      }
    parts.push(...this.#rest(attributesLeft, blocksLeft + leaves))
    return blockOf(
      [],
      parts.map((block, index) => blockIn(`part_${index}`, 'list', block, { maxItems: 1 })),
    )
  }

  // The remaining blocks, nearly all equal and most of them in bundles.
  #rest(attributes: number, blocks: number): Block[] {
    const bundles = Math.floor((blocks - leaves / 2) / 21)
    const size = Math.floor(attributes / blocks)
    const bundle = blockOf(
      [],
      Array.from({ length: 20 }, (_, at) => blockIn(`leaf_${at}`, 'list', leafOf(size))),
    )
    const loose = blocks - bundles * 21
    const left = attributes - bundles * 20 * size
    const others = Array.from({ length: loose }, (_, index) =>
      leafOf(Math.floor(left / loose) + (index < left % loose ? 1 : 0)),
    )
    return [...Array.from({ length: bundles }, () => bundle), ...others]
  }

  #shelf(depth: number): Entry[] {
    return Array.from({ length: 24 }, () => this.#entry(depth))
  }

  #entry(depth: number): Entry {
    const below = this.#shelves[depth - 2]
    const children = below === undefined ? [] : [this.#dice.pick(below), ...this.#others(depth - 1)]
    const own = this.#attributes(
      depth === 1 ? 1 + Math.floor(this.#dice.next() * 2) : Math.floor(this.#dice.next() * 3),
    )
    const blocks = children.map(({ block }, index) =>
      blockIn(`${this.#dice.pick(this.#words)}_${index}`, 'list', block, {
        maxItems: this.#dice.chance(0.6) ? 1 : 100,
      }),
    )
    return {
      block: blockOf(own, blocks),
      attributes: own.length + children.reduce((sum, child) => sum + child.attributes, 0),
      blocks: 1 + children.reduce((sum, child) => sum + child.blocks, 0),
    }
  }

  #others(below: number): Entry[] {
    return Array.from({ length: Math.floor(this.#dice.next() * 3) }, () =>
      this.#dice.pick(this.#shelves[Math.floor(this.#dice.next() * below)]!),
    )
  }

  #attributes(count: number): Attribute[] {
    return Array.from({ length: count }, (_, index) => {
      const type = this.#dice.pick([stringType, stringType, numberType, boolType])
      return plain(`${this.#dice.pick(this.#words)}_${index}`, type, {
        description: described,
        ...(this.#dice.chance(0.3) ? { required: true } : { optional: true }),
      })
    })
  }
}

function leafOf(size: number): Block {
  return blockOf(
    Array.from({ length: size }, (_, at) =>
      plain(`attribute_${at}`, stringType, { optional: true, description: described }),
    ),
  )
}

// Repeated blocks share one definition in OpenAPI, but are encoded each time in the provider protocol.
const described = 'How this part of the whole is shown.'

const deepest = 14
/** The number of blocks that share the remaining attributes. */
const leaves = 100

interface Entry {
  readonly block: Block
  readonly attributes: number
  readonly blocks: number
}
