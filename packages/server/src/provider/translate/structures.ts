import { hash as hashOf } from 'node:crypto'
import type { Attribute, Block, Documented, NestedBlock } from '@hykube/tfplugin/schema'
import type { Type } from '@hykube/tfplugin/value'
import type { Field, ObjectStructure, ScalarStructure, Structure } from './structure.ts'

/**
 * Builds the structures of one provider from its schema. Objects of equal content are shared between types. They are held by
 * weak references, so the structures built for an OpenAPI document of all types can be garbage collected.
 */
export class Structures {
  readonly #byHash = new Map<string, WeakRef<ObjectStructure>>()
  readonly #released = new FinalizationRegistry<string>((hash) => {
    if (this.#byHash.get(hash)?.deref() === undefined) this.#byHash.delete(hash)
  })

  ofBlock({ attributes, blocks }: Block): ObjectStructure {
    return this.#object([
      ...attributes.map((attribute) => this.#ofAttribute(attribute)),
      ...blocks.map((block) => this.#ofNestedBlock(block)),
    ])
  }

  #ofAttribute(attribute: Attribute): Field {
    const { name, required, optional, sensitive, writeOnly, description } = attribute
    return {
      name,
      structure: this.#ofShape(attribute.shape),
      required,
      settable: required || optional,
      sensitive,
      writeOnly,
      deprecation: deprecationOf(attribute),
      description,
    }
  }

  #ofShape(shape: Attribute['shape']): Structure {
    if (shape.kind === 'plain') return this.#ofType(shape.type)
    const element = this.#object(shape.attributes.map((attribute) => this.#ofAttribute(attribute)))
    if (shape.nesting === 'single') return element
    return { kind: shape.nesting, element, minItems: 0, maxItems: 0 }
  }

  #ofNestedBlock({ name, nesting, block, minItems, maxItems }: NestedBlock): Field {
    const element = this.ofBlock(block)
    const isSingle = nesting === 'single' || nesting === 'group'
    return {
      name,
      structure: isSingle ? element : { kind: nesting, element, minItems, maxItems },
      required: minItems > 0,
      settable: true,
      sensitive: false,
      writeOnly: false,
      deprecation: deprecationOf(block),
      description: block.description,
    }
  }

  #ofType(type: Type): Structure {
    switch (type.kind) {
      case 'list':
      case 'set':
      case 'map':
        return { kind: type.kind, element: this.#ofType(type.element), minItems: 0, maxItems: 0 }
      case 'tuple':
        return { kind: 'tuple', elements: type.elements.map((element) => this.#ofType(element)) }
      case 'object':
        return this.#object(
          [...type.attributes].map(([name, of]) => ({
            name,
            structure: this.#ofType(of),
            // Object types do not say which members are required. An absent one is null.
            required: false,
            settable: true,
            sensitive: false,
            writeOnly: false,
            deprecation: undefined,
            description: '',
          })),
        )
      default:
        return scalars[type.kind]
    }
  }

  #object(fields: readonly Field[]): ObjectStructure {
    const sorted = fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const hash = hashOf('sha256', sorted.map(contentOf).join('\n'), 'hex').slice(0, 20)
    const known = this.#byHash.get(hash)?.deref()
    if (known !== undefined) return known
    const object: ObjectStructure = { kind: 'object', hash, fields: new Map(sorted.map((each) => [each.name, each])) }
    this.#byHash.set(hash, new WeakRef(object))
    this.#released.register(object, hash)
    return object
  }
}

const scalars: Readonly<Record<ScalarStructure['kind'], ScalarStructure>> = {
  string: { kind: 'string' },
  number: { kind: 'number' },
  bool: { kind: 'bool' },
  dynamic: { kind: 'dynamic' },
}

// Provider texts are quoted, so that different fields never produce equal content.
function contentOf(field: Field): string {
  const { structure, required, settable, sensitive, writeOnly, deprecation, description } = field
  const flags = (required ? 1 : 0) | (settable ? 2 : 0) | (sensitive ? 4 : 0) | (writeOnly ? 8 : 0)
  const told = deprecation === undefined ? '' : JSON.stringify(deprecation)
  return `${field.name} ${flags} ${keyOf(structure)} ${told} ${description === '' ? '' : JSON.stringify(description)}`
}

function keyOf(structure: Structure): string {
  switch (structure.kind) {
    case 'object':
      return structure.hash
    case 'tuple':
      return `[${structure.elements.map(keyOf)}]`
    case 'list':
    case 'set':
    case 'map':
      return `${structure.kind}(${keyOf(structure.element)},${structure.minItems},${structure.maxItems})`
    default:
      return structure.kind
  }
}

function deprecationOf({ deprecated, deprecationMessage }: Documented): string | undefined {
  return deprecated || deprecationMessage !== '' ? deprecationMessage : undefined
}
