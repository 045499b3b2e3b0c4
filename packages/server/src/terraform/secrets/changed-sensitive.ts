import type { ChangedSensitive } from '@hykube/machinery/plan-api'
import { isList, isObject, Typed, type Value } from '@hykube/tfplugin/value'
import { sameValues } from '../same-values.ts'
import type { SensitiveTree } from './sensitivity.ts'

/** Lists the paths of sensitive values that differ. A path that is sensitive on one side counts as sensitive on both. */
export function changedSensitive(
  before: Value,
  beforeTree: SensitiveTree | undefined,
  after: Value,
  afterTree: SensitiveTree | undefined,
): readonly ChangedSensitive[] {
  const found: ChangedSensitive[] = []
  const visit = (
    was: Value,
    wasTree: SensitiveTree | undefined,
    is: Value,
    isTree: SensitiveTree | undefined,
    path: readonly (string | number)[],
  ): void => {
    if (wasTree?.whole || isTree?.whole) {
      if (!sameValues(was, is))
        found.push({ path, action: was === null ? 'create' : is === null ? 'delete' : 'update' })
      return
    }
    for (const key of new Set([...(wasTree?.parts.keys() ?? []), ...(isTree?.parts.keys() ?? [])]))
      visit(partOf(was, key), wasTree?.parts.get(key), partOf(is, key), isTree?.parts.get(key), [...path, key])
  }
  if (beforeTree !== undefined || afterTree !== undefined) visit(before, beforeTree, after, afterTree, [])
  return found
}

function partOf(given: Value, key: string | number): Value {
  const value = given instanceof Typed ? given.value : given
  if (isList(value)) return value[Number(key)] ?? null
  return isObject(value) && Object.hasOwn(value, key) ? value[key]! : null
}
