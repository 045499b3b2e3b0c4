import { compareUtf8, isJsonObject, type JsonObject } from '../json/index.ts'
import { type ManagedFieldsEntry, timeFromText } from '../object/index.ts'
import { fieldSetFromJson, fieldSetToJson } from './field-set.ts'
import type { ManagedSet, Managers } from './managers.ts'

/** Who owns what, since when. */
export interface Managed {
  readonly managers: Managers
  /** When each manager last wrote, as RFC 3339 text. */
  readonly times: ReadonlyMap<string, string>
}

/** Nobody owns anything. */
export const nothingManaged: Managed = { managers: new Map(), times: new Map() }

/** What tells one manager from another. */
export interface ManagerIdentity {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
}

/**
 * The identifier of a manager: JSON of what tells it apart, in the order of Kubernetes, because identifiers are sorted.
 * Who applies is the same in every version; who updates is another in each.
 */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' || apiVersion === '' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  })
}

/** What an identifier says of its manager. */
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
  if (identities.size >= 1000) identities.clear()
  identities.set(identifier, identity)
  return identity
}

// A handful of managers write nearly everything.
const identities = new Map<string, ManagerIdentity>()

/** Reads managed fields. Throws on an entry that can't be read. */
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

/** Managed fields in Kubernetes' order: who applied first, then by time, name, version and subresource. */
export function encodeManagedFields({ managers, times }: Managed): ManagedFieldsEntry[] {
  const entries = [...managers].map(([identifier, managed]) => encodeEntry(identifier, managed, times.get(identifier)))
  return entries.sort(compareEntries)
}

/** Whether a client asks to forget who owns what: an empty list, or one with nothing in its one entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | null | undefined): boolean {
  if (entries === null || entries === undefined) return false
  return entries.length === 0 || (entries.length === 1 && Object.values(entries[0]!).every(isBlank))
}

/** The managed fields that an object carries; undefined when it carries none. */
export function managedFieldsOf(object: JsonObject): readonly ManagedFieldsEntry[] | undefined {
  const metadata = object.metadata
  const entries = isJsonObject(metadata) ? metadata.managedFields : undefined
  return Array.isArray(entries) ? (entries as unknown as readonly ManagedFieldsEntry[]) : undefined
}

/** An object with other managed fields; without any when there are none. */
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

/** Compares times by their seconds; no time comes before any other. */
export function compareTimes(a: string | null | undefined, b: string | null | undefined): number {
  if (a === b) return 0
  // Times as the server writes them are in order as text.
  if (a?.length === 20 && b?.length === 20 && a.endsWith('Z') && b.endsWith('Z')) return a < b ? -1 : 1
  return seconds(a) - seconds(b)
}

function seconds(time: string | null | undefined): number {
  return Math.floor((timeFromText(time ?? '') ?? 0) / 1000)
}

function isBlank(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
