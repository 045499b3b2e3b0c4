import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/index.ts'
import type { ListShape, ScalarShape, TypeShape } from '../schema/index.ts'
import { elementToText, fieldElement, type PathElement, pathToText } from './path-element.ts'
import { declaredShape, formOf, isAtomic, isScalar, itemElement } from './shape.ts'
import { type FieldProblem, TypedError } from './typed-error.ts'

/** Checks an applied configuration against its shape, and for duplicate list items. Throws `TypedError`. */
export function validateTyped(shape: TypeShape, value: JsonValue): void {
  const validation = new Validation()
  validation.check(shape, value)
  if (validation.problems.length > 0) throw new TypedError(validation.problems)
}

class Validation {
  readonly problems: FieldProblem[] = []
  /** The path to the value being checked; formatted only when there is a problem. */
  readonly #path: PathElement[] = []

  check(shape: TypeShape, value: JsonValue): void {
    if (value === null) return
    const form = formOf(shape, value)
    if (form === 'scalar') {
      // A leaf in place of a container (`orLeaf`) is left to validation.
      if (shape.kind !== 'scalar' && shape.kind !== 'any') return
      const problem = scalarProblem(shape.kind === 'scalar' ? (shape.type ?? 'untyped') : 'untyped', value)
      if (problem !== undefined) this.#report(problem)
    } else if (form === 'list') {
      if (Array.isArray(value)) this.#checkItems(shape, value)
      else this.#report(`expected list, got ${shown(value)}`)
    } else if (isJsonObject(value)) this.#checkFields(shape, value)
    else this.#report(`expected map, got ${shown(value)}`)
  }

  #checkFields(shape: TypeShape, object: JsonObject): void {
    for (const name of Object.keys(object)) {
      const inner = declaredShape(shape, name)
      this.#path.push(fieldElement(name))
      if (inner === undefined) this.#report('field not declared in schema')
      else this.check(inner, object[name]!)
      this.#path.pop()
    }
  }

  #checkItems(shape: TypeShape, items: readonly JsonValue[]): void {
    // A list without a schema may contain anything.
    if (shape.kind !== 'list') return
    if (isAtomic(shape, 'list')) {
      for (const [index, item] of items.entries()) this.#checkInside(`i:${index}`, shape.element, item)
    } else this.#checkKeyedItems(shape, items)
  }

  #checkKeyedItems(shape: ListShape, items: readonly JsonValue[]): void {
    const seen = new Set<PathElement>()
    for (const [index, item] of items.entries()) {
      let element: PathElement
      try {
        element = itemElement(shape, item)
      } catch (error) {
        this.#report(`element ${index}: ${(error as Error).message}`)
        return
      }
      if (seen.has(element)) this.#report(`duplicate entries for key ${elementToText(element)}`)
      seen.add(element)
      this.#checkInside(element, shape.element, item)
    }
  }

  #checkInside(element: PathElement, shape: TypeShape, value: JsonValue): void {
    this.#path.push(element)
    this.check(shape, value)
    this.#path.pop()
  }

  #report(message: string): void {
    this.problems.push({ path: pathToText(this.#path), message })
  }
}

function scalarProblem(type: NonNullable<ScalarShape['type']>, value: JsonValue): string | undefined {
  switch (type) {
    case 'number':
      if (typeof value === 'number' || value instanceof JsonNumber) return undefined
      return `expected numeric (int or float), got ${goType(value)}`
    case 'string':
      return typeof value === 'string' ? undefined : `expected string, got ${shown(value)}`
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${shown(value)}`
    case 'untyped':
      return isScalar(value) ? undefined : `expected any scalar, got ${shown(value)}`
    default:
      return type satisfies never
  }
}

function shown(value: JsonValue): string {
  return JSON.stringify(value)
}

function goType(value: JsonValue): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}
