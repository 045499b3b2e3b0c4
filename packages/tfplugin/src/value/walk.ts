import { elementType, memberStep, memberType } from './part-type.ts'
import { indexStep, type Path } from './path.ts'
import { canonicalSet } from './set-order.ts'
import type { Type } from './type.ts'
import { emptyObject, isList, isObject, Typed, type Value, type ValueObject } from './value.ts'

/** Visits a value and its parts, outer before inner. When `visit` returns false, the parts are skipped. */
export function walkValue(value: Value, type: Type, visit: (value: Value, path: Path, type: Type) => unknown): void {
  walkAt(value, type, [], visit)
}

/**
 * Replaces each part by the result of `change`, inner before outer. Unchanged parts are shared with the old value; sets
 * are reordered.
 */
export function transformValue(
  value: Value,
  type: Type,
  change: (value: Value, path: Path, type: Type) => Value,
): Value {
  return transformAt(value, type, [], change)
}

type Visitor = Parameters<typeof walkValue>[2]
type Change = Parameters<typeof transformValue>[2]

function walkAt(value: Value, type: Type, path: Path, visit: Visitor): void {
  if (visit(value, path, type) === false) return
  const bare = value instanceof Typed ? value.value : value
  const inner = value instanceof Typed ? value.type : type
  if (isList(bare)) {
    for (const [i, part] of bare.entries()) walkAt(part, elementType(inner, i), [...path, indexStep(i)], visit)
  } else if (isObject(bare)) {
    for (const name of Object.keys(bare)) {
      walkAt(bare[name]!, memberType(inner, name), [...path, memberStep(inner, name)], visit)
    }
  }
}

function transformAt(value: Value, type: Type, path: Path, change: Change): Value {
  return change(transformParts(value, type, path, change), path, type)
}

function transformParts(value: Value, type: Type, path: Path, change: Change): Value {
  if (value instanceof Typed) {
    const inner = transformParts(value.value, value.type, path, change)
    return inner === value.value || inner instanceof Typed
      ? inner === value.value
        ? value
        : inner
      : new Typed(value.type, inner)
  }
  if (isList(value)) return transformList(value, type, path, change)
  return isObject(value) ? transformObject(value, type, path, change) : value
}

function transformList(value: readonly Value[], type: Type, path: Path, change: Change): Value {
  const parts = value.map((part, i) => transformAt(part, elementType(type, i), [...path, indexStep(i)], change))
  if (parts.every((part, i) => part === value[i])) return value
  return type.kind === 'set' ? canonicalSet(parts, type.element) : parts
}

function transformObject(value: ValueObject, type: Type, path: Path, change: Change): Value {
  const object = emptyObject()
  let same = true
  for (const name of Object.keys(value)) {
    const part = transformAt(value[name]!, memberType(type, name), [...path, memberStep(type, name)], change)
    object[name] = part
    if (part !== value[name]) same = false
  }
  return same ? value : object
}
