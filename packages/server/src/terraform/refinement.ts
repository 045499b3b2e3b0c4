import {
  Decimal,
  isList,
  isObject,
  isUnknown,
  type Refinement,
  type Type,
  type Unknown,
  type Value,
} from '@hykube/tfplugin/value'

/** True when a value satisfies the refinement of the unknown value that was planned for it. */
export function mayBecome({ refinement }: Unknown, actual: Value, type: Type): boolean {
  if (refinement === undefined || isUnknown(actual)) return true
  if (actual === null) return refinement.notNull !== true
  if (typeof actual === 'string') return actual.startsWith(refinement.prefix ?? '')
  if (actual instanceof Decimal) return isWithin(actual, refinement)
  const length = lengthOf(actual, type)
  return length === undefined || hasLength(length, refinement)
}

function isWithin(value: Decimal, { minimum, maximum }: Refinement): boolean {
  const above = minimum === undefined ? 1 : value.compare(minimum.value)
  const below = maximum === undefined ? -1 : value.compare(maximum.value)
  return (
    (above > 0 || (above === 0 && minimum?.inclusive === true)) &&
    (below < 0 || (below === 0 && maximum?.inclusive === true))
  )
}

function hasLength(
  length: number,
  { minimumLength = 0, maximumLength = Number.POSITIVE_INFINITY }: Refinement,
): boolean {
  return length >= minimumLength && length <= maximumLength
}

function lengthOf(value: Value, type: Type): number | undefined {
  if (isList(value)) return value.length
  return type.kind === 'map' && isObject(value) ? Object.keys(value).length : undefined
}
