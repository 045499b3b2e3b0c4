import { hash } from 'node:crypto'
import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import {
  type CollectionStructure,
  type Field,
  type ObjectStructure,
  type Structure,
  structureToText,
} from '../structure.ts'

/** `spec`: the attributes that users set; `status`: the attributes that the provider returned. */
export type View = 'spec' | 'status'

/**
 * Writes structures as OpenAPI schemas. Nested objects become definitions named by the hash of their content, so equal ones
 * occur once in a document. Values of all types but string may also be an expression (a JSON string), so they are published
 * without a type, and the description names it. Definition names are short (`hk.…`), because the document of a large provider
 * has tens of thousands of references; clients show the part after the last dot.
 */
export class SchemaWriter {
  readonly #referred = new Map<string, () => OpenApiSchema>()

  /** A definition that was referred to, built on demand. */
  definition(name: string): OpenApiSchema | undefined {
    return this.#referred.get(name)?.()
  }

  /** The properties of the attributes that only the provider sets. */
  readOnlyFields({ fields }: ObjectStructure): OpenApiSchema {
    const shown = [...fields.values()].filter((field) => !field.settable && isShown(field, 'status'))
    return Object.fromEntries(shown.map((field) => [field.name, this.#field(field, 'status')]))
  }

  /** Turns a schema into a definition named by the hash of its content, and returns a reference to it. */
  share(schema: OpenApiSchema, word: string): OpenApiSchema {
    const name = `hk.${shortHash(JSON.stringify(schema))}.${word}`
    this.#referred.set(name, () => schema)
    return { $ref: name }
  }

  /** The properties of an object, and the names of the required ones. */
  fields({ fields }: ObjectStructure, view: View): { properties: OpenApiSchema; required: string[] } {
    const shown = [...fields.values()].filter((field) => isShown(field, view))
    return {
      properties: Object.fromEntries(shown.map((field) => [field.name, this.#field(field, view)])),
      required: view === 'spec' ? shown.filter((field) => field.required).map(({ name }) => name) : [],
    }
  }

  #field(field: Field, view: View): OpenApiSchema {
    const schema = this.#value(field.structure, view)
    // A schema without a type gets the type as the start of its description.
    const type = schema === anything ? typeText(field.structure) : ''
    const description = [type, field.description.trim(), notesOn(field)].filter((part) => part !== '').join(' ')
    return description === '' ? schema : { ...schema, description }
  }

  #value(structure: Structure, view: View): OpenApiSchema {
    if (structure.kind === 'string') return { type: 'string' }
    if (structure.kind === 'object')
      return isSmall(structure) ? this.#object(structure, view) : this.#reference(structure, view)
    if (!('element' in structure)) return anything
    return isFlat(structure) ? this.#flat(structure) : this.#collection(structure, view)
  }

  // A collection of objects is one definition with the objects inlined, which saves a reference.
  #collection(structure: CollectionStructure, view: View): OpenApiSchema {
    const { kind, element, minItems, maxItems } = structure
    const told = view === 'status' && isSameInside(element) ? 'spec' : view
    if (element.kind === 'object' && element.fields.size < 2 && isSmall(element)) return this.#items(structure, told)
    const name = `hk.${shortHash([kind, keyOf(element), minItems, maxItems, told].join('/'))}.${capital(kind)}`
    this.#referred.set(name, () => this.#items(structure, told))
    return { $ref: name }
  }

  #items(structure: CollectionStructure, view: View): OpenApiSchema {
    const { kind, element, minItems, maxItems } = structure
    const inner = element.kind === 'object' ? this.#fieldsOf(element, view) : this.#value(element, view)
    return {
      ...((maxItems > 0 || minItems > 1) && { description: typeText(structure) }),
      ...(kind === 'map' ? { additionalProperties: inner } : { items: inner }),
    }
  }

  // Collections of scalars have readable names such as ListOfString, because few different ones exist and clients show them.
  #flat(structure: Structure): OpenApiSchema {
    const name = `hk.${flatName(structure)}`
    this.#referred.set(name, () => ({
      ...open,
      ...flatSchema(structure),
      description: typeText(structure),
    }))
    return { $ref: name }
  }

  #object(structure: ObjectStructure, view: View): OpenApiSchema {
    return { ...open, ...this.#fieldsOf(structure, view) }
  }

  #fieldsOf(structure: ObjectStructure, view: View): OpenApiSchema {
    const { properties, required } = this.fields(structure, view)
    return { properties, ...(required.length > 0 && { required }) }
  }

  // Objects that are equal in both views, which most are, share one definition.
  #reference(structure: ObjectStructure, view: View): OpenApiSchema {
    const told = view === 'status' && isSameInBoth(structure) ? 'spec' : view
    const name = `hk.${shortHash(structure.hash)}.${told === 'spec' ? 'Object' : 'Attributes'}`
    this.#referred.set(name, () => this.#object(structure, told))
    return { $ref: name }
  }
}

// A schema without a type accepts every value.
const anything: OpenApiSchema = {}
const open: OpenApiSchema = { 'x-kubernetes-preserve-unknown-fields': true }

// 40 bits: no collisions are expected among thousands of definitions, and references stay short.
function shortHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 10)
}

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

// Inlined, because a reference would be longer.
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
  return structure.kind === 'map' ? { additionalProperties: inner } : { items: inner }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
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
    writeOnly ? 'Write-only, never stored: use ${secret["name"].key}.' : sensitive ? 'Sensitive.' : '',
    deprecation === undefined ? '' : `Deprecated${deprecation === '' ? '.' : `: ${deprecation}`}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}
