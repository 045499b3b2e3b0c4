import type { InstanceKey } from '../../model/index.ts'

/** Encodes an instance key as a segment of a storage key: the empty key sorts first, then numbers numerically, then strings. */
export function instanceToSegment(key: InstanceKey): string {
  if (key === undefined) return ''
  return typeof key === 'number' ? `#${String(key).padStart(indexDigits, '0')}` : `'${key}`
}

/** The inverse of {@link instanceToSegment}. */
export function instanceFromSegment(segment: string): InstanceKey {
  if (segment === '') return undefined
  return segment.startsWith('#') ? Number(segment.slice(1)) : segment.slice(1)
}

// The digits of the highest index that `count` allows, 9999999.
const indexDigits = 7
