/** Which instance of an object: the only one, one of `count`, or one of `for_each`. */
export type InstanceKey = undefined | number | string

/** An instance key as addresses have it: nothing, `[3]` or `["eu"]`. */
export function instanceToText(key: InstanceKey): string {
  return key === undefined ? '' : `[${JSON.stringify(key)}]`
}

/** The order in which instances are shown: numbers as numbers, texts byte by byte. */
export function compareInstances(a: InstanceKey, b: InstanceKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === typeof b) return a === b ? 0 : (a as string) < (b as string) ? -1 : 1
  return rank(a) - rank(b)
}

function rank(key: InstanceKey): number {
  return key === undefined ? 0 : typeof key === 'number' ? 1 : 2
}
