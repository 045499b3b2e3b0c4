import { addressToText } from '@hykube/machinery/object'
import { Decimal, type Path, startsWithPath, type Type, type Value, valueAt } from '@hykube/tfplugin/value'
import type { Found, ValueScope } from '../evaluate/value-scope.ts'
import type { Reference, ResourceReference } from '../syntax/reference.ts'
import type { TypeScope } from '../types/type-scope.ts'

/** A referenced object: one value, or one for each instance. */
export interface TableObject {
  readonly type?: Type
  readonly value?: Value
  readonly instances?: ReadonlyMap<number | string, Value>
  /** The sensitive parts of the object, or of each instance. */
  readonly sensitive?: readonly Path[]
}

/** The context of the current instance. */
export interface TableSurroundings {
  readonly index?: number
  readonly each?: { readonly key: string; readonly value: Value; readonly type?: Type }
  /** By `name.key` or `namespace/name.key`. */
  readonly secrets?: Readonly<Record<string, string>>
  readonly configMaps?: Readonly<Record<string, string>>
}

/** Resolves references from a table of objects by address. */
export class TableScope implements ValueScope, TypeScope {
  readonly #objects: Readonly<Record<string, TableObject>>
  readonly #around: TableSurroundings
  /** The number of lookups. */
  lookups = 0

  constructor(objects: Readonly<Record<string, TableObject>>, around: TableSurroundings = {}) {
    this.#objects = objects
    this.#around = around
  }

  typeOf(reference: Reference): Type | undefined {
    if (reference.kind === 'each') return this.#around.each?.type
    return reference.kind === 'resource' ? this.#object(reference)?.type : undefined
  }

  lookup(reference: Reference): Found | undefined {
    this.lookups++
    const { index, each, secrets = {}, configMaps = {} } = this.#around
    switch (reference.kind) {
      case 'count':
        return index === undefined ? undefined : { value: Decimal.fromInteger(index), sensitive: false }
      case 'each':
        if (each === undefined) return undefined
        return { value: reference.part === 'key' ? each.key : valueAt(each.value, reference.path), sensitive: false }
      case 'secret':
        return textFrom(secrets, reference, true)
      case 'configmap':
        return textFrom(configMaps, reference, false)
      case 'resource':
        return this.#resource(reference)
    }
  }

  #object({ provider, data, type, namespace, name }: ResourceReference): TableObject | undefined {
    const address = { data, type, name, ...(provider && { provider }), ...(namespace && { namespace }) }
    return this.#objects[addressToText(address)]
  }

  #resource(reference: ResourceReference): Found | undefined {
    const object = this.#object(reference)
    if (object === undefined) return undefined
    const { path, instance } = reference
    const sensitive =
      object.sensitive?.some((each) => startsWithPath(path, each) || startsWithPath(each, path)) === true
    if (instance.kind === 'all') {
      const values = [...(object.instances?.values() ?? [])]
      return { value: values.map((value) => valueAt(value, path) ?? null), sensitive }
    }
    const key = instance.kind === 'key' ? instance.key : instance.kind === 'same' ? this.#ownKey() : undefined
    const value = key === undefined ? object.value : object.instances?.get(key)
    return value === undefined ? undefined : { value: valueAt(value, path), sensitive }
  }

  #ownKey(): number | string | undefined {
    return this.#around.index ?? this.#around.each?.key
  }
}

function textFrom(
  table: Readonly<Record<string, string>>,
  { namespace, name, key }: { readonly namespace?: string; readonly name: string; readonly key: string },
  sensitive: boolean,
): Found | undefined {
  const value = table[`${namespace === undefined ? '' : `${namespace}/`}${name}.${key}`]
  return value === undefined ? undefined : { value, sensitive }
}
