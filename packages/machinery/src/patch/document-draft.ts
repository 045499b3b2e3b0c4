import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import { indexFromKey } from './json-pointer.ts'

/** A location in a document: the enclosing object or list, and a key in it. */
export interface Place {
  readonly container: JsonObject | JsonValue[]
  readonly key: string
}

/**
 * A copy-on-write view of a document. An object or list is copied before its first change; everything else is shared with
 * the original document, which is never modified.
 */
export class DocumentDraft {
  #root: JsonValue
  // The containers that this draft copied, and may therefore modify.
  readonly #owned = new Set<JsonValue>()

  constructor(document: JsonValue) {
    this.#root = document
  }

  get root(): JsonValue {
    return this.#root
  }

  replaceRoot(value: JsonValue): void {
    this.#root = value
  }

  /** Returns the value at a path; undefined when the path does not exist. */
  read(keys: readonly string[]): JsonValue | undefined {
    let value: JsonValue | undefined = this.#root
    for (const key of keys) {
      value = childOf(value, key)
      if (value === undefined) return undefined
    }
    return value
  }

  /** Returns the writable container of a path; undefined when it does not exist. The last key need not exist. */
  place(keys: readonly string[]): Place | undefined {
    const key = keys.at(-1)
    const parents = keys.slice(0, -1)
    if (key === undefined || !isContainer(this.read(parents))) return undefined
    let container = this.#own(this.#root, (copy) => this.replaceRoot(copy))
    for (const parent of parents) {
      const outer = container
      container = this.#own(childOf(outer, parent)!, (copy) => setChild(outer, parent, copy))
    }
    return { container, key }
  }

  #own(value: JsonValue, replace: (copy: JsonValue) => void): JsonObject | JsonValue[] {
    if (this.#owned.has(value)) return value as JsonObject | JsonValue[]
    const copy = Array.isArray(value) ? [...value] : { ...(value as JsonObject) }
    this.#owned.add(copy)
    replace(copy)
    return copy
  }
}

/** Returns the value of a key of an object, or of an index of a list; undefined when it does not exist. */
export function childOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    try {
      return value[indexFromKey(key, value.length)]
    } catch {
      return undefined
    }
  }
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function setChild(container: JsonObject | JsonValue[], key: string, value: JsonValue): void {
  if (Array.isArray(container)) container[indexFromKey(key, container.length)] = value
  else setOwn(container, key, value)
}

function isContainer(value: JsonValue | undefined): boolean {
  return Array.isArray(value) || isJsonObject(value)
}
