import { isList, isObject, isUnknown, Typed, type Value, valueObject } from '@hykube/tfplugin/value'
import { referenceToText } from '../../expression/index.ts'
import { type InstanceKey, type SensitiveTree, treeWithin } from '../../plan/index.ts'

/**
 * Takes the sensitive values out of a specification that is made: each becomes a reference to a key of one Secret. Without a
 * Secret they are left out.
 */
export class SecretValues {
  readonly #secret: string | undefined
  readonly #keys = new Map<string, string>()
  readonly #leftOut = new Set<string>()

  constructor(secret: string | undefined) {
    this.#secret = secret
  }

  /** What the Secret has to hold. */
  get data(): ReadonlyMap<string, string> {
    return new Map([...this.#keys].map(([value, key]) => [key, value]))
  }

  /** The fields that were left out. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut]
  }

  /** A configuration with a mark in place of each sensitive text, number and boolean. */
  hide(value: Value, tree: SensitiveTree | undefined, instance: InstanceKey): Value {
    return this.#within(value, tree, [], instance)
  }

  /** The reference that a mark stands for; undefined for any other text. */
  write(text: string): string | undefined {
    if (!text.startsWith(mark)) return undefined
    return `\${${referenceToText({ kind: 'secret', name: this.#secret!, key: text.slice(mark.length) })}}`
  }

  #within(given: Value, tree: SensitiveTree | undefined, path: readonly string[], instance: InstanceKey): Value {
    if (tree === undefined || given === null || isUnknown(given) || given === '') return given
    const value = given instanceof Typed ? given.value : given
    if (isList(value))
      return value.map((part, i) => this.#within(part, treeWithin(tree, i), [...path, String(i)], instance))
    if (isObject(value))
      return valueObject(
        Object.keys(value).map((name): [string, Value] => [
          name,
          this.#within(value[name]!, treeWithin(tree, name), [...path, name], instance),
        ]),
      )
    return tree.whole ? this.#hidden(String(value), path, instance) : given
  }

  // Equal values share a key, so that instances that are alike stay alike.
  #hidden(text: string, path: readonly string[], instance: InstanceKey): Value {
    if (this.#secret === undefined) {
      this.#leftOut.add(`spec.${path[0]}`)
      return null
    }
    let key = this.#keys.get(text)
    if (key === undefined) {
      key = this.#newKey([...(instance === undefined ? [] : [String(instance)]), ...path])
      this.#keys.set(text, key)
    }
    return `${mark}${key}`
  }

  // Keys of Secrets are letters, digits, dashes, underlines and dots.
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

// No text of a specification begins with it.
const mark = '\u0000secret:'
