import type { StoredChange } from '../../estate/index.ts'
import type { ChangeRecord } from '../../plan/index.ts'

/** What an entry says besides the change itself. */
export interface EntryFacts {
  /** The provider's full address. */
  readonly provider: string
  readonly schemaVersion: number
}

/** A resource as it will be, as far as that is known; nothing for what goes. */
export function plannedResource(change: StoredChange<ChangeRecord>, facts: EntryFacts): object | undefined {
  const { after, afterSensitive } = change.record.shown!
  if (isNothing(after) || deposedKey(change) !== undefined) return undefined
  return resourceWith(change, facts, after, afterSensitive)
}

/** A resource as it was when the plan was made; nothing for what was not there. */
export function priorResource(change: StoredChange<ChangeRecord>, facts: EntryFacts): object | undefined {
  const { before, beforeSensitive } = change.record.shown!
  if (isNothing(before)) return undefined
  const deposed = deposedKey(change)
  const resource = resourceWith(change, facts, before, beforeSensitive)
  return deposed === undefined ? resource : { ...resource, deposed_key: deposed }
}

/** What a resource is called, as every list of a plan says it. */
export function nameOf({ place, record }: StoredChange<ChangeRecord>, provider: string) {
  return {
    address: record.address,
    mode: record.data ? 'data' : 'managed',
    type: record.type,
    name: place.node.name,
    ...(place.instance !== undefined && { index: place.instance }),
    provider_name: provider,
  }
}

/** The key of an object that was left behind by a replacement, when the change is about one. */
export function deposedKey({ place }: StoredChange<ChangeRecord>): string | undefined {
  return place.part.startsWith(deposedPrefix) ? place.part.slice(deposedPrefix.length) : undefined
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
