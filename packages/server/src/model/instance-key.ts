/** Identifies an instance of an object: undefined for the only one, a number for `count`, a string for `for_each`. */
export type InstanceKey = undefined | number | string

/** Formats an instance key as in addresses: empty, `[3]` or `["eu"]`. */
export function instanceToText(key: InstanceKey): string {
  return key === undefined ? '' : `[${JSON.stringify(key)}]`
}

/** Orders instances for display: numbers numerically, strings by code unit. */
export function compareInstances(a: InstanceKey, b: InstanceKey): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === typeof b) return a === b ? 0 : (a as string) < (b as string) ? -1 : 1
  return rank(a) - rank(b)
}

function rank(key: InstanceKey): number {
  return key === undefined ? 0 : typeof key === 'number' ? 1 : 2
}
