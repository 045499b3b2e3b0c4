import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import { indexFromKey } from './json-pointer.ts'

/** An object or list inside a document, and a key in it. */
export interface Place {
  readonly container: JsonObject | JsonValue[]
  readonly key: string
}

/**
 * A document that is being changed. What is changed is copied first, once; everything else is shared with the document
 * that it began with, which stays as it was.
 */
export class DocumentDraft {
  #root: JsonValue
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

  /** The value at a place that exists; undefined when there is no such place. */
  read(keys: readonly string[]): JsonValue | undefined {
    let value: JsonValue | undefined = this.#root
    for (const key of keys) {
      value = childOf(value, key)
      if (value === undefined) return undefined
    }
    return value
  }

  /** The container of a place, ready to be changed; undefined when there is none. The place itself need not exist. */
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

/** The value of a key of an object or list; undefined when it has none or the value is neither. */
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
