import type { Steps } from '../base/index.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import type { TypeShape } from '../object/index.ts'
import { difference, type FieldSet, fieldSetToJson, isEmptySet, recursiveDifference } from './field-set.ts'
import { fieldShape, formOf, isAtomic, itemElements } from './shape.ts'
import { everyPath, everyPathInSteps } from './to-field-set.ts'
import { untrackedFields } from './untracked-fields.ts'

/**
 * The fields that whoever creates an object owns: all that were not there in the empty one. Objects of a kind mostly have
 * the same fields with other values, and then the same set, which is worked out once.
 */
export class CreatedFields {
  readonly #shape: TypeShape
  readonly #reset: FieldSet | undefined
  readonly #empty: JsonObject
  readonly #known = new Map<string, FieldSet | undefined>()

  /** `reset` is what the endpoint does not write, `empty` an object that nobody gave anything yet. */
  constructor(shape: TypeShape, reset: FieldSet | undefined, empty: JsonObject) {
    this.#shape = shape
    this.#reset = reset
    this.#empty = empty
  }

  /** The fields in their order as FieldsV1 has them; undefined when there are none. */
  *of(object: JsonObject): Steps<FieldSet | undefined> {
    const outline = outlineOf(this.#shape, object, longestOutline)
    if (outline.length > longestOutline) return yield* this.#workOut(object)
    if (this.#known.has(outline)) return this.#known.get(outline)
    const set = frozen(yield* this.#workOut(object))
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(outline, set)
    return set
  }

  *#workOut(object: JsonObject): Steps<FieldSet | undefined> {
    const every = yield* everyPathInSteps(this.#shape, object)
    yield
    const added = difference(every, everyPath(this.#shape, unchanged(this.#shape, this.#empty, object)))
    const all = difference(added, untrackedFields)
    const set = this.#reset === undefined ? all : recursiveDifference(all, this.#reset)
    return isEmptySet(set) ? undefined : fieldSetToJson(set)
  }
}

/** What an object has of another: the same leaves, and objects around them. */
function unchanged(shape: TypeShape, before: JsonObject, now: JsonObject): JsonObject {
  const same: JsonObject = {}
  for (const name in before) {
    const [old, value] = [before[name]!, now[name]]
    if (value === undefined) continue
    const inner = fieldShape(shape, name)
    const isWhole = isAtomic(inner, formOf(inner, value))
    if (isJsonObject(old) && isJsonObject(value) && !isWhole) same[name] = unchanged(inner, old, value)
    // A null is the container that is filled now.
    else if (old === null && !isWhole && !isNothing(value)) same[name] = Array.isArray(value) ? [] : {}
    else if (jsonEquals(old, value)) same[name] = value
  }
  return same
}

const longestOutline = 4096
const mostKnown = 256

// Many objects share it.
function frozen<Set extends FieldSet | undefined>(set: Set): Set {
  for (const element in set) frozen((set as FieldSet)[element])
  return Object.freeze(set)
}

/**
 * Text that is the same for values with the same paths, as far as they hold something. Names say how long they are, so that
 * none can imitate another. One that is longer than `most` is of no use, and ends there.
 */
function outlineOf(shape: TypeShape, value: JsonValue, most: number): string {
  const form = formOf(shape, value)
  if (isAtomic(shape, form)) return isNothing(value) ? '!' : ''
  let outline = '('
  if (form === 'map') {
    if (isJsonObject(value)) {
      for (const name in value) {
        if (outline.length > most) return outline
        outline += `${name.length}:${name}${outlineOf(fieldShape(shape, name), value[name]!, most)}`
      }
    }
  } else if (Array.isArray(value) && shape.kind === 'list') {
    for (const [index, element] of (itemElements(shape, value) ?? []).entries()) {
      if (outline.length > most) return outline
      outline += `${element.length}:${element}${outlineOf(shape.element, value[index]!, most)}`
    }
  }
  return `${outline})`
}

// What could be the same in an empty object.
function isNothing(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return !value
  for (const _ in value) return false
  return true
}
