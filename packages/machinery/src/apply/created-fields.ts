import type { Steps } from '../base/index.ts'
import { BoundedMap } from '../base/index.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '../json/index.ts'
import type { TypeShape } from '../schema/index.ts'
import { difference, type FieldSet, fieldSetToJson, isEmptySet, recursiveDifference } from './field-set.ts'
import { fieldShape, formOf, isAtomic, itemElements } from './shape.ts'
import { everyPath, everyPathInSteps } from './to-field-set.ts'
import { untrackedFields } from './untracked-fields.ts'

/**
 * Computes the fields that the creator of an object owns: all fields that the empty object lacks. Most objects of a kind
 * have the same fields with different values, so the sets are cached by an outline of the fields.
 */
export class CreatedFields {
  readonly #shape: TypeShape
  readonly #reset: FieldSet | undefined
  readonly #empty: JsonObject
  readonly #known = new BoundedMap<string, FieldSet | undefined>(256)

  /** `reset` are the fields that the endpoint does not write; `empty` is an object before the client's fields are set. */
  constructor(shape: TypeShape, reset: FieldSet | undefined, empty: JsonObject) {
    this.#shape = shape
    this.#reset = reset
    this.#empty = empty
  }

  /** Returns the fields in the order of FieldsV1; undefined when there are none. */
  *of(object: JsonObject): Steps<FieldSet | undefined> {
    const outline = outlineOf(this.#shape, object, longestOutline)
    if (outline.length > longestOutline) return yield* this.#compute(object)
    if (this.#known.has(outline)) return this.#known.get(outline)
    const set = frozen(yield* this.#compute(object))
    this.#known.set(outline, set)
    return set
  }

  *#compute(object: JsonObject): Steps<FieldSet | undefined> {
    const every = yield* everyPathInSteps(this.#shape, object)
    yield
    // Fields that equal those of the empty object were not set by the client.
    const added = difference(every, everyPath(this.#shape, unchanged(this.#shape, this.#empty, object)))
    const all = difference(added, untrackedFields)
    const set = this.#reset === undefined ? all : recursiveDifference(all, this.#reset)
    return isEmptySet(set) ? undefined : fieldSetToJson(set)
  }
}

/** Returns the part of `before` whose leaves have the same value in `now`. */
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

// Bounds of the cache: objects with a longer outline are computed each time; a full cache is cleared.
const longestOutline = 4096

// Cached sets are shared by many objects, so they are frozen.
function frozen<Set extends FieldSet | undefined>(set: Set): Set {
  for (const element in set) frozen((set as FieldSet)[element])
  return Object.freeze(set)
}

/**
 * Returns a text that is equal for values with the same paths and the same empty leaves. Names are prefixed with their
 * length, so that no name can imitate the structure. The text ends early when it is longer than `most`.
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

// Only empty leaves can equal those of the empty object, so the outline has to distinguish them.
function isNothing(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return !value
  for (const _ in value) return false
  return true
}
