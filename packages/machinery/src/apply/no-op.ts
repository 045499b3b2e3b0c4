import { isJsonObject, type JsonObject, jsonEquals } from '../json/index.ts'
import { managedFieldsOf, withManagedFields } from './managed-fields.ts'

/**
 * Restores the live object's managed fields when only their times differ, so that the write is recognized as a no-op and not
 * stored. The resourceVersion is ignored in the comparison.
 */
export function withoutTimeChanges(live: JsonObject, next: JsonObject): JsonObject {
  const before = managedFieldsOf(live)
  const after = managedFieldsOf(next)
  if (before === undefined || after === undefined || before.length !== after.length) return next
  if (!jsonEquals(withoutTimes(before), withoutTimes(after))) return next
  if (!jsonEquals(bare(live), bare(next))) return next
  return withManagedFields(next, before)
}

function withoutTimes(entries: readonly object[]): JsonObject[] {
  return entries.map((entry) => ({ ...entry, time: null }) as unknown as JsonObject)
}

function bare(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {}
  return { ...object, metadata: { ...metadata, managedFields: null, resourceVersion: null } }
}
