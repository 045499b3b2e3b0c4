import { isList, isObject, isUnknown, Typed, type Value, valueObject } from '@hykube/tfplugin/value'
import { referenceToText } from '../expression/index.ts'
import type { InstanceKey } from '../model/index.ts'
import { type SensitiveTree, treeWithin } from '../terraform/index.ts'

/**
 * Replaces the sensitive values of a generated spec with references to keys of one Secret. Without a Secret the values are omitted.
 */
export class SecretValues {
  readonly #secret: string | undefined
  readonly #keys = new Map<string, string>()
  readonly #omitted = new Set<string>()

  constructor(secret: string | undefined) {
    this.#secret = secret
  }

  /** The data of the Secret, by key. */
  get data(): ReadonlyMap<string, string> {
    return new Map([...this.#keys].map(([value, key]) => [key, value]))
  }

  /** The fields that were omitted because there is no Secret. */
  get omitted(): readonly string[] {
    return [...this.#omitted]
  }

  /** Returns a configuration with a placeholder in place of each sensitive string, number and boolean. */
  hide(value: Value, tree: SensitiveTree | undefined, instance: InstanceKey): Value {
    return this.#replaceWithin(value, tree, [], instance)
  }

  /** Returns the reference that a placeholder stands for; undefined for any other string. */
  write(text: string): string | undefined {
    if (!text.startsWith(placeholder)) return undefined
    return `\${${referenceToText({ kind: 'secret', name: this.#secret!, key: text.slice(placeholder.length) })}}`
  }

  #replaceWithin(given: Value, tree: SensitiveTree | undefined, path: readonly string[], instance: InstanceKey): Value {
    if (tree === undefined || given === null || isUnknown(given) || given === '') return given
    const value = given instanceof Typed ? given.value : given
    if (isList(value))
      return value.map((part, i) => this.#replaceWithin(part, treeWithin(tree, i), [...path, String(i)], instance))
    if (isObject(value))
      return valueObject(
        Object.keys(value).map((name): [string, Value] => [
          name,
          this.#replaceWithin(value[name]!, treeWithin(tree, name), [...path, name], instance),
        ]),
      )
    return tree.whole ? this.#placeholder(String(value), path, instance) : given
  }

  // Equal values share a key, so that equal instances can still be merged into one `count` or `for_each` spec.
  #placeholder(text: string, path: readonly string[], instance: InstanceKey): Value {
    if (this.#secret === undefined) {
      this.#omitted.add(`spec.${path[0]}`)
      return null
    }
    let key = this.#keys.get(text)
    if (key === undefined) {
      key = this.#newKey([...(instance === undefined ? [] : [String(instance)]), ...path])
      this.#keys.set(text, key)
    }
    return `${placeholder}${key}`
  }

  // Kubernetes allows letters, digits, dashes, underscores and dots in keys of Secrets, up to 253 characters.
  #newKey(parts: readonly string[]): string {
    const base = parts
      .join('.')
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, longestKey)
    const taken = new Set(this.#keys.values())
    for (let i = 1; ; i++) {
      const key = i === 1 ? base : `${base}-${i}`
      if (!taken.has(key)) return key
    }
  }
}

const longestKey = 200

// Starts with a NUL, which no string of a spec contains.
const placeholder = '\u0000secret:'
