// Merges the specs of several instances into one spec with `count` or `for_each`.

import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { InstanceKey } from '../model/index.ts'

/** The spec of one instance. */
export interface InstanceSpec {
  readonly key: InstanceKey
  readonly spec: JsonObject
}

/** One spec that stands for several instances. */
export interface CommonSpec {
  readonly spec: JsonObject
  /** `strings`: number keys become strings, because `for_each` replaced `count`. */
  readonly keys: 'same' | 'strings'
}

/**
 * Returns one spec that expands to exactly these instances. A single instance without a key keeps its own spec. `count` is used
 * when the keys are 0 to n-1 and values differ only in strings that contain the key. Otherwise `for_each` is used, and its values
 * hold whatever differs between the instances.
 */
export function commonSpec(instances: readonly InstanceSpec[]): CommonSpec {
  const [first] = instances
  if (first === undefined) return { spec: {}, keys: 'same' }
  if (instances.length === 1 && first.key === undefined) return { spec: first.spec, keys: 'same' }
  if (isNumbered(instances)) {
    const counted = new Merge(instances, 'count.index')
    if (counted.values.size === 0) return { spec: { count: instances.length, ...counted.spec }, keys: 'same' }
  }
  const merged = new Merge(instances, 'each.key')
  const keys = instances.map(({ key }) => String(key ?? ''))
  const forEach =
    merged.values.size === 0
      ? keys
      : Object.fromEntries(keys.map((key, i) => [key, Object.fromEntries(valuesAt(merged.values, i))]))
  return { spec: { for_each: forEach, ...merged.spec }, keys: 'strings' }
}

function isNumbered(instances: readonly InstanceSpec[]): boolean {
  const numbers = new Set(instances.map(({ key }) => key))
  return instances.every((_, i) => numbers.has(i))
}

function valuesAt(values: ReadonlyMap<string, readonly JsonValue[]>, index: number): [string, JsonValue][] {
  return [...values].map(([name, all]) => [name, all[index] ?? null])
}

/** Merges specs field by field: equal values stay, differing ones become an expression and are collected in `values`. */
class Merge {
  readonly spec: JsonObject
  /** The values that `each.value.<name>` must have, by name, in the order of the instances. */
  readonly values = new Map<string, readonly JsonValue[]>()
  readonly #keys: readonly string[]
  readonly #own: string

  constructor(instances: readonly InstanceSpec[], own: 'count.index' | 'each.key') {
    this.#keys = instances.map(({ key }) => String(key ?? ''))
    this.#own = own
    const names = [...new Set(instances.flatMap(({ spec }) => Object.keys(spec)))]
    this.spec = Object.fromEntries(
      names.map((name) => [
        name,
        this.#merge(
          instances.map(({ spec }) => spec[name] ?? null),
          name,
        ),
      ]),
    )
  }

  #merge(parts: readonly JsonValue[], path: string): JsonValue {
    const [first] = parts as [JsonValue]
    if (parts.every((part) => jsonEquals(part, first))) return first
    return this.#keyTemplate(parts) ?? this.#mergeInside(parts, path) ?? this.#perInstance(parts, path)
  }

  // Strings that differ only by their instance's key at the same position become one template: "web-0", "web-1" → "web-${count.index}".
  // The longest key is searched for, because a short one such as "1" may also occur elsewhere in the string.
  #keyTemplate(parts: readonly JsonValue[]): string | undefined {
    if (!parts.every((part) => typeof part === 'string' && !hasExpression(part))) return undefined
    const strings = parts as readonly string[]
    const longest = this.#keys.reduce((best, key, i) => (key.length > this.#keys[best]!.length ? i : best), 0)
    const [text, key] = [strings[longest]!, this.#keys[longest]!]
    if (key === '' || key.includes('${')) return undefined
    for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
      const before = text.slice(0, at)
      const after = text.slice(at + key.length)
      if (before.endsWith('$')) continue
      if (strings.every((each, i) => each === `${before}${this.#keys[i]}${after}`))
        return `${before}\${${this.#own}}${after}`
    }
    return undefined
  }

  #mergeInside(parts: readonly JsonValue[], path: string): JsonValue | undefined {
    if (parts.every((part) => Array.isArray(part))) {
      const lists = parts as readonly JsonValue[][]
      if (lists.some(({ length }) => length !== lists[0]!.length)) return undefined
      return lists[0]!.map((_, i) =>
        this.#merge(
          lists.map((list) => list[i]!),
          `${path}_${i}`,
        ),
      )
    }
    if (!parts.every((part) => isJsonObject(part) && !Object.hasOwn(part, '$type'))) return undefined
    const objects = parts as readonly JsonObject[]
    const names = Object.keys(objects[0]!)
    const isAlike = objects.every(
      (object) => Object.keys(object).length === names.length && names.every((name) => Object.hasOwn(object, name)),
    )
    if (!isAlike) return undefined
    return Object.fromEntries(
      names.map((name) => [
        name,
        this.#merge(
          objects.map((object) => object[name]!),
          `${path}_${name}`,
        ),
      ]),
    )
  }

  #perInstance(parts: readonly JsonValue[], path: string): string {
    const base = path.replaceAll(/\W+/g, '_')
    let name = base
    for (let i = 2; this.values.has(name); i++) name = `${base}_${i}`
    this.values.set(name, parts)
    return `\${each.value.${name}}`
  }
}

function hasExpression(text: string): boolean {
  return /(?<!\$)\$\{/.test(text)
}
