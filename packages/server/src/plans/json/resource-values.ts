import type { StoredChange } from '../../estate/index.ts'
import type { ChangeRecord } from '../../model/index.ts'

/** Facts about an entry besides its change. */
export interface EntryFacts {
  /** The provider's full address. */
  readonly provider: string
  readonly schemaVersion: number
}

/** Converts a change to an entry of `planned_values`; undefined for a destruction. */
export function plannedResource(change: StoredChange<ChangeRecord>, facts: EntryFacts): object | undefined {
  const { after, afterSensitive } = change.record.shown!
  if (isNothing(after) || deposedKey(change) !== undefined) return undefined
  return resourceWith(change, facts, after, afterSensitive)
}

/** Converts a change to an entry of `prior_state`; undefined for a creation. */
export function priorResource(change: StoredChange<ChangeRecord>, facts: EntryFacts): object | undefined {
  const { before, beforeSensitive } = change.record.shown!
  if (isNothing(before)) return undefined
  const deposed = deposedKey(change)
  const resource = resourceWith(change, facts, before, beforeSensitive)
  return deposed === undefined ? resource : { ...resource, deposed_key: deposed }
}

/** Returns the fields that name a resource in every list. */
export function nameOf({ target, record }: StoredChange<ChangeRecord>, provider: string) {
  return {
    address: record.address,
    mode: record.data ? 'data' : 'managed',
    type: record.type,
    name: target.ref.name,
    ...(target.instance !== undefined && { index: target.instance }),
    provider_name: provider,
  }
}

/** Returns the key of a deposed resource; undefined when the change is about another one. */
export function deposedKey({ target }: StoredChange<ChangeRecord>): string | undefined {
  return target.part.startsWith(deposedPrefix) ? target.part.slice(deposedPrefix.length) : undefined
}

const deposedPrefix = 'deposed/'

function resourceWith(change: StoredChange<ChangeRecord>, facts: EntryFacts, values: unknown, sensitive: unknown) {
  return {
    ...nameOf(change, facts.provider),
    schema_version: facts.schemaVersion,
    values,
    sensitive_values: isNothing(sensitive) || sensitive === false ? {} : sensitive,
  }
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
