import type { InstanceKey } from '../plan/index.ts'

/** An instance key as a segment of a key of the store: the only one first, then numbers in their order, then texts. */
export function instanceToSegment(key: InstanceKey): string {
  if (key === undefined) return ''
  return typeof key === 'number' ? `#${String(key).padStart(indexDigits, '0')}` : `'${key}`
}

/** The inverse of {@link instanceToSegment}. */
export function instanceFromSegment(segment: string): InstanceKey {
  if (segment === '') return undefined
  return segment.startsWith('#') ? Number(segment.slice(1)) : segment.slice(1)
}

// As many as the highest index that `count` allows has.
const indexDigits = 7
