import { type Attribute, type Block, boolType, numberType, stringType } from '@hykube/tfplugin/value'
import type { Dice } from './dice.ts'
import { blockIn, blockOf, plain } from './schema-builder.ts'

/** Blocks made of blocks, for types that are so large because they hold the same things in many places. */
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

  /** A type of exactly so many attributes in exactly so many blocks, which must be fewer. */
  assemble(attributes: number, blocks: number): Block {
    const parts: Entry[] = []
    let [attributesLeft, blocksLeft] = [attributes, blocks]
    for (const shelf of this.#shelves.toReversed())
      for (let tries = 0; tries < 40; tries++) {
        const entry = this.#dice.pick(shelf)
        // Something must be left for every block that is still to come.
        if (entry.attributes > attributesLeft || entry.blocks > blocksLeft) continue
        parts.push(entry)
        attributesLeft -= entry.attributes
        blocksLeft -= entry.blocks
      }
    const leaves = Array.from({ length: blocksLeft }, () => blockOf([]))
    return blockOf(
      Array.from({ length: attributesLeft }, (_, index) => plain(`attribute_${index}`, stringType)),
      [...parts.map(({ block }) => block), ...leaves].map((block, index) =>
        blockIn(`part_${index}`, 'list', block, { maxItems: 1 }),
      ),
    )
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
      return plain(
        `${this.#dice.pick(this.#words)}_${index}`,
        type,
        this.#dice.chance(0.3) ? { required: true } : { optional: true },
      )
    })
  }
}

const deepest = 14

interface Entry {
  readonly block: Block
  readonly attributes: number
  readonly blocks: number
}
