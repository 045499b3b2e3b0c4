import { createHash } from 'node:crypto'
import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import {
  type CollectionStructure,
  type Field,
  type ObjectStructure,
  type Structure,
  structureToText,
} from './structure.ts'

/** Whether a schema is for what users write, or for what the provider returned. */
export type View = 'spec' | 'status'

/**
 * Writes structures as schemas. Objects that lie in others become definitions of their own, named by their content, so
 * that a document has equal ones once. Whatever is no text may also be an expression: it is published without a type,
 * and its description says what it is.
 */
export class SchemaWriter {
  readonly #referred = new Map<string, () => OpenApiSchema>()

  /** A definition that was referred to, written when it is asked for. */
  definition(name: string): OpenApiSchema | undefined {
    return this.#referred.get(name)?.()
  }

  /** The properties of what only the provider decides, as it returns them. */
  decidedFields({ fields }: ObjectStructure): OpenApiSchema {
    const shown = [...fields.values()].filter((field) => !field.settable && isShown(field, 'status'))
    return Object.fromEntries(shown.map((field) => [field.name, this.#field(field, 'status')]))
  }

  /** A reference to a definition of this content, named by it. */
  share(schema: OpenApiSchema, word: string): OpenApiSchema {
    const hash = createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 10)
    const name = `hykube.${hash}.${word}`
    this.#referred.set(name, () => schema)
    return { $ref: name }
  }

  /** The properties of an object, and those of them that must be given. */
  fields({ fields }: ObjectStructure, view: View): { properties: OpenApiSchema; required: string[] } {
    const shown = [...fields.values()].filter((field) => isShown(field, view))
    return {
      properties: Object.fromEntries(shown.map((field) => [field.name, this.#field(field, view)])),
      required: view === 'spec' ? shown.filter((field) => field.required).map(({ name }) => name) : [],
    }
  }

  #field(field: Field, view: View): OpenApiSchema {
    const description = descriptionOf(field)
    const schema = this.#value(field.structure, view)
    return description === '' ? schema : { ...schema, description }
  }

  #value(structure: Structure, view: View): OpenApiSchema {
    if (structure.kind === 'string') return { type: 'string' }
    if (structure.kind === 'object')
      return isSmall(structure) ? this.#object(structure, view) : this.#reference(structure, view)
    if (isFlat(structure)) return this.#flat(structure)
    switch (structure.kind) {
      case 'list':
      case 'set':
      case 'map':
        return this.#collection(structure, view)
      default:
        return anything
    }
  }

  // Collections of objects hold their objects themselves: one definition for both.
  #collection(structure: CollectionStructure, view: View): OpenApiSchema {
    const { kind, element, minItems, maxItems } = structure
    const told = view === 'status' && isSameInside(element) ? 'spec' : view
    const key = [kind, keyOf(element), minItems, maxItems, told].join('/')
    const hash = createHash('sha256').update(key).digest('hex').slice(0, 10)
    const name = `hykube.${hash}.${capital(kind)}`
    this.#referred.set(name, () => {
      const inner = element.kind === 'object' ? this.#fieldsOf(element, told) : this.#value(element, told)
      const items = kind === 'map' ? { additionalProperties: inner } : { items: inner }
      return { ...anything, description: typeText(structure), ...items }
    })
    return { $ref: name }
  }

  // Plain types are the same few everywhere, and clients show their names.
  #flat(structure: Structure): OpenApiSchema {
    const name = `hykube.${flatName(structure)}`
    this.#referred.set(name, () => ({ ...flatSchema(structure), description: typeText(structure) }))
    return { $ref: name }
  }

  #object(structure: ObjectStructure, view: View): OpenApiSchema {
    return { ...anything, ...this.#fieldsOf(structure, view) }
  }

  #fieldsOf(structure: ObjectStructure, view: View): OpenApiSchema {
    const { properties, required } = this.fields(structure, view)
    return { properties, ...(required.length > 0 && { required }) }
  }

  // Most objects are the same in both views, and then they are one definition.
  #reference(structure: ObjectStructure, view: View): OpenApiSchema {
    const told = view === 'status' && isSameInBoth(structure) ? 'spec' : view
    // Clients show the last part of the name.
    const name = `hykube.${structure.hash.slice(0, 10)}.${told === 'spec' ? 'Object' : 'Attributes'}`
    this.#referred.set(name, () => this.#object(structure, told))
    return { $ref: name }
  }
}

const anything: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true }

function isShown({ settable, sensitive, writeOnly }: Field, view: View): boolean {
  return view === 'spec' ? settable : !sensitive && !writeOnly
}

const sameInBoth = new WeakMap<ObjectStructure, boolean>()

function isSameInBoth(structure: ObjectStructure): boolean {
  let same = sameInBoth.get(structure)
  if (same === undefined) {
    same = [...structure.fields.values()].every(
      (field) => isShown(field, 'spec') && isShown(field, 'status') && isSameInside(field.structure),
    )
    sameInBoth.set(structure, same)
  }
  return same
}

function isSameInside(structure: Structure): boolean {
  if (structure.kind === 'object') return isSameInBoth(structure)
  return 'element' in structure ? isSameInside(structure.element) : true
}

// A reference to it would be longer.
function isSmall({ fields }: ObjectStructure): boolean {
  if (fields.size > 2) return false
  return [...fields.values()].every(({ structure, description }) => isFlat(structure) && description.length < 20)
}

function isFlat(structure: Structure): boolean {
  return structure.kind !== 'object' && (!('element' in structure) || isFlat(structure.element))
}

function keyOf(structure: Structure): string {
  if (structure.kind === 'object') return structure.hash
  return 'element' in structure ? `${structure.kind}(${keyOf(structure.element)})` : structureToText(structure)
}

function flatName(structure: Structure): string {
  switch (structure.kind) {
    case 'bool':
      return 'Boolean'
    case 'dynamic':
    case 'tuple':
    case 'object':
      return 'Any'
    case 'list':
    case 'set':
    case 'map':
      return `${capital(structure.kind)}Of${flatName(structure.element)}`
    default:
      return capital(structure.kind)
  }
}

function flatSchema(structure: Structure): OpenApiSchema {
  if (structure.kind === 'string') return { type: 'string' }
  if (!('element' in structure)) return anything
  const inner = flatSchema(structure.element)
  return structure.kind === 'map' ? { ...anything, additionalProperties: inner } : { ...anything, items: inner }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function descriptionOf(field: Field): string {
  return [field.description.trim(), notesOn(field)].filter((part) => part !== '').join(' ')
}

function typeText(structure: Structure): string {
  const bounds = 'element' in structure ? boundsText(structure.minItems, structure.maxItems) : ''
  return `(${structureToText(structure)}${bounds})`
}

function boundsText(least: number, most: number): string {
  return [least > 1 ? `, at least ${least}` : '', most > 0 ? `, at most ${most}` : ''].join('')
}

function notesOn({ writeOnly, sensitive, deprecation }: Field): string {
  return [
    writeOnly ? 'Never stored: give it as ${secret["name"].key}.' : sensitive ? 'Sensitive.' : '',
    deprecation === undefined ? '' : `Deprecated${deprecation === '' ? '.' : `: ${deprecation}`}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}
