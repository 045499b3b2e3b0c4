import type { Type } from '@hykube/tfplugin/value'

/**
 * Removes attributes that the type doesn't have from a state's JSON. An older provider with the same schema version may have stored them.
 * Returns the same text when there are none, or when it isn't JSON; the caller's decoder reports that.
 */
export function withoutRemovedAttributes(json: string, type: Type): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(json, exactNumber as (key: string, value: unknown) => unknown)
  } catch {
    return json
  }
  return removeFrom(parsed, type) ? JSON.stringify(parsed) : json
}

// Keeps numbers as source text, because parsing would lose digits.
function exactNumber(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined ? rawJson(source) : value
}

const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown
  readonly isRawJSON: (value: unknown) => boolean
}

function removeFrom(value: unknown, type: Type): boolean {
  if (Array.isArray(value)) {
    return (
      (type.kind === 'list' || type.kind === 'set') && anyRemoved(value.map((part) => removeFrom(part, type.element)))
    )
  }
  if (typeof value !== 'object' || value === null || isRawJson(value)) return false
  const object = value as Record<string, unknown>
  if (type.kind === 'map') return anyRemoved(Object.values(object).map((part) => removeFrom(part, type.element)))
  if (type.kind !== 'object') return false
  return anyRemoved(
    Object.keys(object).map((name) => {
      const attribute = type.attributes.get(name)
      if (attribute !== undefined) return removeFrom(object[name], attribute)
      delete object[name]
      return true
    }),
  )
}

function anyRemoved(removed: readonly boolean[]): boolean {
  return removed.includes(true)
}
