import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '@hykube/machinery/json'
import {
  type Attribute,
  type AttributeShape,
  type Block,
  emptyNestedBlock,
  impliedType,
  type NestedBlock,
} from '@hykube/tfplugin/schema'
import {
  attributeStep,
  canonicalSet,
  convertValue,
  dynamicType,
  hasDynamic,
  indexStep,
  isList,
  keyStep,
  type Type,
  type Value,
} from '@hykube/tfplugin/value'
import {
  constantPiece,
  type Evaluation,
  listPiece,
  mappedPiece,
  nullPiece,
  objectPiece,
  type Piece,
} from './config-piece.ts'
import { completeBlocks, nestedAttributeConfigType, nestedBlockConfigType } from './config-types.ts'
import { describeJson, inSet, mismatch, type Place, ValueCompiler, within } from './value-compiler.ts'

/** Compiles the JSON of blocks and nested attributes to values of a provider's schema. */
export class BlockCompiler extends ValueCompiler {
  /** Compiles a block of attributes and nested blocks. `reserved` names, such as `count`, are skipped. */
  block(json: JsonObject, block: Block, place: Place, reserved: readonly string[] = []): Piece {
    const members: (readonly [string, Piece])[] = []
    for (const attribute of block.attributes) members.push([attribute.name, this.#attribute(json, attribute, place)])
    for (const nested of block.blocks) {
      const at = within(place, attributeStep(nested.name))
      members.push([nested.name, this.#nestedBlock(getOwn(json, nested.name) ?? null, nested, at)])
    }
    this.refuseOthers(json, new Set([...members.map(([name]) => name), ...reserved]), place)
    return objectPiece(members)
  }

  #attribute(json: JsonObject, attribute: Attribute, place: Place): Piece {
    const { name, shape, required, optional, computed } = attribute
    const at = within(place, attributeStep(name))
    const given = getOwn(json, name) ?? null
    if (given === null) return required ? this.refuse(at, 'the attribute is required') : nullPiece
    if (computed && !optional && !required) return this.refuse(at, 'the attribute is set by the provider and read-only')
    return shape.kind === 'plain' ? this.typed(given, shape.type, at) : this.#nestedAttribute(given, shape, at)
  }

  #nestedAttribute(json: JsonValue, shape: Extract<AttributeShape, { kind: 'nested' }>, place: Place): Piece {
    const type = nestedAttributeConfigType(shape)
    if (typeof json === 'string') return this.text(json, type, place)
    const { attributes, nesting } = shape
    const one = (item: JsonValue, at: Place) => this.#attributesOf(item, attributes, type, at)
    switch (nesting) {
      case 'single':
        return one(json, place)
      case 'list':
        return listPiece(this.#each(json, type, place, one))
      case 'set':
        return listPiece(this.#each(json, type, inSet(place), one), (values) => canonicalSet(values, elementOf(type)))
      case 'map':
        return this.#mapOf(json, type, place, one)
    }
  }

  #attributesOf(json: JsonValue, attributes: readonly Attribute[], type: Type, place: Place): Piece {
    if (json === null) return nullPiece
    const element = elementOf(type)
    if (typeof json === 'string') return this.text(json, element, place)
    if (!isJsonObject(json)) return this.refuse(place, mismatch(element, json))
    this.refuseOthers(json, new Set(attributes.map(({ name }) => name)), place)
    return objectPiece(attributes.map((attribute) => [attribute.name, this.#attribute(json, attribute, place)]))
  }

  #nestedBlock(json: JsonValue, nested: NestedBlock, place: Place): Piece {
    const { nesting, block, name, minItems } = nested
    if (json === null) {
      if (minItems > 0) this.refuse(place, `at least ${minItems} ${name} must be set`)
      return constantPiece(emptyNestedBlock(nested))
    }
    if (typeof json === 'string') return this.#blocksFrom(json, nested, place)
    const one = (item: JsonValue, at: Place) => this.#oneBlock(item, nested, at)
    const element = impliedType(block)
    switch (nesting) {
      case 'single':
      case 'group':
        return one(json, place)
      case 'list':
        return listPiece(this.#blocks(json, nested, place, one), (blocks) =>
          hasDynamic(element) ? convertValue(blocks, dynamicType) : blocks,
        )
      case 'set':
        return listPiece(this.#blocks(json, nested, inSet(place), one), (blocks) => canonicalSet(blocks, element))
      case 'map': {
        const blocks = this.#mapOf(json, nestedBlockConfigType(nested), place, one)
        return hasDynamic(element) ? mappedPiece(blocks, (value) => convertValue(value, dynamicType)) : blocks
      }
    }
  }

  // A single block may be written as an object instead of a list.
  #blocks(json: JsonValue, nested: NestedBlock, place: Place, one: (item: JsonValue, at: Place) => Piece): Piece[] {
    const items = isJsonObject(json) ? [json] : json
    const problem = Array.isArray(items) ? countProblem(items.length, nested) : undefined
    if (problem !== undefined) this.refuse(place, problem)
    return this.#each(items, nestedBlockConfigType(nested), place, one)
  }

  #oneBlock(json: JsonValue, nested: NestedBlock, place: Place): Piece {
    if (isJsonObject(json)) return this.block(json, nested.block, place)
    if (typeof json === 'string') {
      const type = nestedBlockConfigType({ ...nested, nesting: 'single' })
      return mappedPiece(this.text(json, type, place), (value, at) => {
        if (value === null && nested.nesting !== 'single') at?.refuse(place.path, 'a block is expected here, not null')
        return completeBlocks(value, { ...nested, nesting: 'single' })
      })
    }
    return this.refuse(place, `a block is expected here, not ${describeJson(json)}`)
  }

  // An expression in place of nested blocks gives all of them, like Terraform's dynamic blocks.
  #blocksFrom(text: string, nested: NestedBlock, place: Place): Piece {
    const piece = this.text(text, nestedBlockConfigType(nested), nested.nesting === 'set' ? inSet(place) : place)
    return mappedPiece(piece, (value, at) => {
      const problem = isList(value) ? blocksProblem(value, nested) : undefined
      if (problem !== undefined) report(problem, place, at, this)
      return completeBlocks(value, nested)
    })
  }

  #each(json: JsonValue, type: Type, place: Place, one: (item: JsonValue, at: Place) => Piece): Piece[] {
    if (Array.isArray(json)) return json.map((item, index) => one(item, within(place, indexStep(index))))
    this.refuse(place, mismatch(type, json))
    return []
  }

  #mapOf(json: JsonValue, type: Type, place: Place, one: (item: JsonValue, at: Place) => Piece): Piece {
    if (!isJsonObject(json)) return this.refuse(place, mismatch(type, json))
    return objectPiece(Object.keys(json).map((key) => [key, one(json[key]!, within(place, keyStep(key)))]))
  }
}

function elementOf(type: Type): Type {
  return type.kind === 'object' ? type : (type as { element: Type }).element
}

function blocksProblem(blocks: readonly Value[], nested: NestedBlock): string | undefined {
  return blocks.includes(null) ? "a block can't be null" : countProblem(blocks.length, nested)
}

function countProblem(count: number, { name, minItems, maxItems }: NestedBlock): string | undefined {
  if (count < minItems) return `at least ${minItems} ${name} must be set, not ${count}`
  return maxItems > 0 && count > maxItems ? `at most ${maxItems} ${name} may be set, not ${count}` : undefined
}

function report(problem: string, place: Place, at: Evaluation | undefined, compiler: ValueCompiler): void {
  if (at === undefined) compiler.refuse(place, problem)
  else at.refuse(place.path, problem)
}
