import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../json/index.ts'
import type { StatusError } from '../status/index.ts'
import { goText } from './go-text.ts'
import { withoutNulls } from './merge-patch.ts'
import { failedPatch, malformedPatch } from './patch-failure.ts'

/** The directives of strategic merge patches: fields of a patch that control the merge instead of setting a value. */
export const directive = {
  patch: '$patch',
  retainKeys: '$retainKeys',
  setElementOrder: '$setElementOrder',
  deleteFromPrimitiveList: '$deleteFromPrimitiveList',
} as const

/** Returns the field of a directive such as `$setElementOrder/finalizers`. */
export function keyOfDirective(key: string): string {
  const slash = key.indexOf('/')
  const isOrder = key.startsWith(directive.setElementOrder)
  const prefix = isOrder ? directive.setElementOrder : directive.deleteFromPrimitiveList
  if (slash === -1 || key.slice(0, slash) !== prefix) {
    throw malformedPatch(`invalid patch format of ${isOrder ? 'setElementOrder list' : 'primitive list'}`)
  }
  return key.slice(slash + 1)
}

/** Returns a patch value without nulls and directives, for a field that did not exist. Undefined for a mere directive. */
export function cleaned(value: JsonValue): JsonValue | undefined {
  return withoutDirectives(withoutNulls(value))
}

/** Recognizes all directives except `$patch`. */
export function isDirective(key: string): boolean {
  if (!key.startsWith('$')) return false
  return (
    key === directive.retainKeys ||
    key.startsWith(`${directive.setElementOrder}/`) ||
    key.startsWith(`${directive.deleteFromPrimitiveList}/`)
  )
}

/** The failure for an unknown value of `$patch`. */
export function badDirective(kind: JsonValue | undefined, patch: JsonObject): StatusError {
  return failedPatch(`unknown patch type: ${goText(kind)} in map: ${goText(patch)}`)
}

function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter((item) => item !== undefined)
  if (!isJsonObject(value)) return value
  if (Object.hasOwn(value, directive.patch)) return undefined
  const result: JsonObject = {}
  for (const key of Object.keys(value)) {
    if (isDirective(key)) continue
    const inner = withoutDirectives(value[key]!)
    if (inner !== undefined) setOwn(result, key, inner)
  }
  return result
}
