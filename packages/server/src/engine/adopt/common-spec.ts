import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from '@hykube/machinery/json'
import type { InstanceKey } from '../../plan/index.ts'

/** The specification of one instance. */
export interface InstanceSpec {
  readonly key: InstanceKey
  readonly spec: JsonObject
}

/** One specification for several instances. */
export interface CommonSpec {
  readonly spec: JsonObject
  /** How their keys are called by it: numbers become texts where `count` can't say how they differ. */
  readonly keys: 'same' | 'texts'
}

/**
 * One specification that makes exactly these instances: itself for the only one, `count` where they are numbered from 0
 * and differ at most by texts with their number in it, and `for_each` otherwise, with the values in which they differ.
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
  return { spec: { for_each: forEach, ...merged.spec }, keys: 'texts' }
}

function isNumbered(instances: readonly InstanceSpec[]): boolean {
  const numbers = new Set(instances.map(({ key }) => key))
  return instances.every((_, i) => numbers.has(i))
}

function valuesAt(values: ReadonlyMap<string, readonly JsonValue[]>, index: number): [string, JsonValue][] {
  return [...values].map(([name, all]) => [name, all[index] ?? null])
}

/** Specifications laid over each other. Where they differ there is an expression, and the values are kept. */
class Merge {
  readonly spec: JsonObject
  /** What `each.value` holds, by name, for each instance. */
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
    return this.#withKey(parts) ?? this.#inside(parts, path) ?? this.#different(parts, path)
  }

  // A text that has the key of its instance at the same place in each of them.
  #withKey(parts: readonly JsonValue[]): string | undefined {
    if (!parts.every((part) => typeof part === 'string' && !hasExpression(part))) return undefined
    const texts = parts as readonly string[]
    const longest = this.#keys.reduce((best, key, i) => (key.length > this.#keys[best]!.length ? i : best), 0)
    const [text, key] = [texts[longest]!, this.#keys[longest]!]
    if (key === '' || key.includes('${')) return undefined
    for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
      const before = text.slice(0, at)
      const after = text.slice(at + key.length)
      if (before.endsWith('$')) continue
      if (texts.every((each, i) => each === `${before}${this.#keys[i]}${after}`))
        return `${before}\${${this.#own}}${after}`
    }
    return undefined
  }

  #inside(parts: readonly JsonValue[], path: string): JsonValue | undefined {
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

  #different(parts: readonly JsonValue[], path: string): string {
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
