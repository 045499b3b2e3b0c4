/** A change of one resource, without values that differ between runs. */
export interface ShownChange {
  readonly address: string
  readonly deposed?: string
  readonly action_reason?: string
  readonly change: {
    readonly actions: readonly string[]
    readonly before: unknown
    readonly after: unknown
    readonly after_unknown: unknown
    readonly before_sensitive: unknown
    readonly after_sensitive: unknown
    readonly replace_paths?: readonly (readonly unknown[])[]
  }
}

/** A change as it can be compared. */
export interface NormalChange {
  readonly address: string
  readonly actions: string
  readonly reason: string
  readonly before: unknown
  readonly after: unknown
  readonly unknown: unknown
  readonly replace: readonly string[]
}

/** Names in place of ids. */
export type Names = ReadonlyMap<string, string>

/** Changes as they can be compared: in the order of addresses, with names for ids, without sensitive values. */
export function normalChanges(changes: readonly ShownChange[], names: Names): readonly NormalChange[] {
  return (
    changes
      // Hykube shows a forget change for a resource that is gone already; Terraform shows nothing.
      .filter(({ change }) => change.actions[0] !== 'no-op' && change.actions[0] !== 'forget')
      .map(({ address, action_reason, change }) => ({
        address,
        actions: change.actions.join(),
        reason: action_reason ?? '',
        before: named(redacted(change.before, change.before_sensitive), names),
        after: named(redacted(change.after, change.after_sensitive), names),
        unknown: change.after_unknown,
        replace: [...(change.replace_paths ?? [])].map((path) => path.join('.')).sort(),
      }))
      .sort((a, b) => (a.address < b.address ? -1 : 1))
  )
}

/** A value with names in place of ids, also inside texts. */
export function named(value: unknown, names: Names): unknown {
  if (typeof value === 'string')
    return value.replace(ids, (id) => withoutFirst(names.get(id) ?? id)).replace(machineAddresses, 'an address')
  if (Array.isArray(value)) return value.map((each) => named(each, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each, names)]))
}

// An only instance that becomes the first one, or the other way round, is called so at once here and once it was applied there.
function withoutFirst(name: string): string {
  return name.replace(/\[0\]$/, '')
}

const ids = /\b[a-z]+-[0-9a-f]{16}\b/g

// They follow from ids, and two may be the same.
const machineAddresses = /\b\d+\.\d+\.\d+\.\d+\b(?!\/)/g

function redacted(value: unknown, mask: unknown): unknown {
  if (mask === true) return null
  if (Array.isArray(value)) return value.map((each, i) => redacted(each, Array.isArray(mask) ? mask[i] : false))
  if (typeof value !== 'object' || value === null) return value
  const masks = (typeof mask === 'object' && mask !== null ? mask : {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redacted(each, masks[key])]))
}
