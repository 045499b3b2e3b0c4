import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../json/index.ts'
import type { ListShape, ScalarShape, TypeShape } from '../object/index.ts'
import { elementToText, fieldElement } from './path-element.ts'
import { declaredShape, formOf, isAtomic, isScalar, itemElement } from './shape.ts'
import { type FieldProblem, TypedError } from './typed-error.ts'

/** Checks that a value to be applied is of its type, and that no item of a list comes twice. Throws `TypedError`. */
export function validateTyped(shape: TypeShape, value: JsonValue): void {
  const problems: FieldProblem[] = []
  check(shape, value, '', problems)
  if (problems.length > 0) throw new TypedError(problems)
}

function check(shape: TypeShape, value: JsonValue, path: string, problems: FieldProblem[]): void {
  if (value === null) return
  const form = formOf(shape, value)
  if (form === 'scalar') {
    const message = scalarProblem(shape.kind === 'scalar' ? (shape.type ?? 'untyped') : 'untyped', value)
    if (message !== undefined) problems.push({ path, message })
  } else if (form === 'list') {
    if (Array.isArray(value)) checkItems(shape, value, path, problems)
    else problems.push({ path, message: `expected list, got ${shown(value)}` })
  } else if (isJsonObject(value)) checkFields(shape, value, path, problems)
  else problems.push({ path, message: `expected map, got ${shown(value)}` })
}

function checkFields(shape: TypeShape, object: JsonObject, path: string, problems: FieldProblem[]): void {
  for (const name of Object.keys(object)) {
    const at = path + elementToText(fieldElement(name))
    const inner = declaredShape(shape, name)
    if (inner === undefined) problems.push({ path: at, message: 'field not declared in schema' })
    else check(inner, object[name]!, at, problems)
  }
}

function checkItems(shape: TypeShape, items: readonly JsonValue[], path: string, problems: FieldProblem[]): void {
  // Lists of no declared shape hold anything.
  if (shape.kind !== 'list') return
  if (isAtomic(shape, 'list')) {
    for (const [index, item] of items.entries()) check(shape.element, item, `${path}[${index}]`, problems)
  } else checkKeyedItems(shape, items, path, problems)
}

function checkKeyedItems(shape: ListShape, items: readonly JsonValue[], path: string, problems: FieldProblem[]): void {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    let element: string
    try {
      element = itemElement(shape, item)
    } catch (error) {
      problems.push({ path, message: `element ${index}: ${(error as Error).message}` })
      return
    }
    if (seen.has(element)) problems.push({ path, message: `duplicate entries for key ${elementToText(element)}` })
    seen.add(element)
    check(shape.element, item, path + elementToText(element), problems)
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
