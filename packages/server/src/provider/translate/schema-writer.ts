import type { OpenApiSchema } from '@hykube/machinery/resource-type'
import { type Field, type ObjectStructure, type Structure, structureToText } from './structure.ts'

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

  /** The properties of an object, and those of them that must be given. */
  fields({ fields }: ObjectStructure, view: View): { properties: OpenApiSchema; required: string[] } {
    const shown = [...fields.values()].filter((field) => isShown(field, view))
    return {
      properties: Object.fromEntries(shown.map((field) => [field.name, this.#field(field, view)])),
      required: view === 'spec' ? shown.filter((field) => field.required).map(({ name }) => name) : [],
    }
  }

  #field(field: Field, view: View): OpenApiSchema {
    const description = descriptionOf(field, view)
    const schema = this.#value(field.structure, view)
    return description === '' ? schema : { ...schema, description }
  }

  #value(structure: Structure, view: View): OpenApiSchema {
    switch (structure.kind) {
      case 'string':
        return { type: 'string' }
      case 'list':
      case 'set':
        return { ...anything, items: this.#value(structure.element, view) }
      case 'tuple':
        return { ...anything, items: anything }
      case 'map':
        return { ...anything, additionalProperties: this.#value(structure.element, view) }
      case 'object':
        return isSmall(structure) ? this.#object(structure, view) : this.#reference(structure, view)
      default:
        return anything
    }
  }

  #object(structure: ObjectStructure, view: View): OpenApiSchema {
    const { properties, required } = this.fields(structure, view)
    return { ...anything, properties, ...(required.length > 0 && { required }) }
  }

  // Most objects are the same in both views, and then they are one definition.
  #reference(structure: ObjectStructure, view: View): OpenApiSchema {
    const told = view === 'status' && isSameInBoth(structure) ? 'spec' : view
    // Clients show the last part of the name.
    const name = `io.hykube.${structure.hash}.${told === 'spec' ? 'Object' : 'Attributes'}`
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

// Attributes that users write are described where they write them.
function descriptionOf(field: Field, view: View): string {
  if (view === 'status' && field.settable) return ''
  const type = field.structure.kind === 'string' ? '' : typeText(field.structure)
  return [type, field.description.trim(), notesOn(field)].filter((part) => part !== '').join(' ')
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
