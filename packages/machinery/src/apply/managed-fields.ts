import { timeFromText } from '../amounts/index.ts'
import { BoundedMap, compareUtf8 } from '../base/index.ts'
import { isJsonObject, type JsonObject } from '../json/index.ts'
import type { ManagedFieldsEntry } from '../object/index.ts'
import { fieldSetFromJson, fieldSetToJson } from './field-set.ts'
import type { ManagedSet, Managers } from './managers.ts'

/** Decoded managed fields. */
export interface Managed {
  readonly managers: Managers
  /** The time of the last write of each manager, as RFC 3339 text. */
  readonly times: ReadonlyMap<string, string>
}

export const nothingManaged: Managed = { managers: new Map(), times: new Map() }

/** The attributes that identify a manager. */
export interface ManagerIdentity {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
}

/**
 * Returns the identifier of a manager: JSON with Kubernetes' order of fields, because identifiers are sorted as text. An
 * applier has one identifier for all versions; an updater has one for each version.
 */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' || apiVersion === '' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  })
}

/** Parses an identifier. */
export function managerFromIdentifier(identifier: string): ManagerIdentity {
  const known = identities.get(identifier)
  if (known !== undefined) return known
  const {
    manager = '',
    operation = 'Update',
    apiVersion = '',
    subresource = '',
  } = JSON.parse(identifier) as Partial<ManagerIdentity>
  const identity = { manager, operation, apiVersion, subresource }
  identities.set(identifier, identity)
  return identity
}

// Cached, because a few managers write nearly all objects.
const identities = new BoundedMap<string, ManagerIdentity>(1000)

/** Decodes managed fields. Throws when an entry is invalid. */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[]): Managed {
  const managers = new Map<string, ManagedSet>()
  const times = new Map<string, string>()
  for (const [index, entry] of entries.entries()) {
    const { operation, apiVersion } = checked(entry, index)
    const identity = { manager: entry.manager ?? '', operation, apiVersion, subresource: entry.subresource ?? '' }
    const identifier = managerIdentifier(identity)
    managers.set(identifier, { set: fieldSetFromJson(entry.fieldsV1), apiVersion, applied: operation === 'Apply' })
    if (entry.time) times.set(identifier, entry.time)
    else times.delete(identifier)
  }
  return { managers, times }
}

/** Encodes managed fields in Kubernetes' order: Apply before Update, then by time, manager, version and subresource. */
export function encodeManagedFields({ managers, times }: Managed): ManagedFieldsEntry[] {
  const entries = [...managers].map(([identifier, managed]) => encodeEntry(identifier, managed, times.get(identifier)))
  return entries.sort(compareEntries)
}

/** Returns true when a client resets the managed fields: an empty list, or a list of one blank entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | null | undefined): boolean {
  if (entries === null || entries === undefined) return false
  return entries.length === 0 || (entries.length === 1 && Object.values(entries[0]!).every(isBlank))
}

/** Returns the managed fields of an object; undefined when it has none. */
export function managedFieldsOf(object: JsonObject): readonly ManagedFieldsEntry[] | undefined {
  const metadata = object.metadata
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined
  return Array.isArray(entries) ? (entries as unknown as readonly ManagedFieldsEntry[]) : undefined
}

/** Returns the object with these managed fields; an empty list removes the field. */
export function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[]): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  if (entries.length > 0) {
    return { ...object, metadata: { ...metadata, managedFields: entries as unknown as JsonObject[] } }
  }
  if (!Object.hasOwn(metadata, 'managedFields')) return object
  const { managedFields: _, ...rest } = metadata
  return { ...object, metadata: rest }
}

function checked(
  entry: ManagedFieldsEntry,
  index: number,
): Required<Pick<ManagedFieldsEntry, 'operation' | 'apiVersion'>> {
  const { operation, apiVersion, fieldsType } = entry
  if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`')
  if (!apiVersion) throw new Error('apiVersion must not be empty')
  if (!fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`)
  if (fieldsType !== 'FieldsV1') {
    throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`)
  }
  return { operation, apiVersion }
}

function encodeEntry(identifier: string, managed: ManagedSet, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = managerFromIdentifier(identifier)
  return {
    ...(manager === '' ? {} : { manager }),
    operation: managed.applied ? 'Apply' : operation,
    apiVersion: managed.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fieldSetToJson(managed.set) as unknown as JsonObject,
    ...(subresource === '' ? {} : { subresource }),
  }
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareUtf8(a.operation ?? '', b.operation ?? '') ||
    compareTimes(a.time, b.time) ||
    compareUtf8(a.manager ?? '', b.manager ?? '') ||
    compareUtf8(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareUtf8(a.subresource ?? '', b.subresource ?? '')
  )
}

/** Compares times with a resolution of seconds; a missing time is the earliest. */
export function compareTimes(a: string | null | undefined, b: string | null | undefined): number {
  if (a === b) return 0
  // Times in the format of the server can be compared as text.
  if (a?.length === 20 && b?.length === 20 && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : 1
  return seconds(a) - seconds(b)
}

function seconds(time: string | null | undefined): number {
  return Math.floor((timeFromText(time ?? '') ?? 0) / 1000)
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
