import type { JsonObject } from '../json/index.ts'
import type { TypeShape } from '../object/index.ts'
import { fieldSetFromJson, leavesOf } from './field-set.ts'
import { managedFieldsOf } from './managed-fields.ts'
import { extractItems } from './remove-items.ts'

/**
 * Extracts the configuration that a manager applied from an object, so that it can be applied again. Undefined when the
 * manager applied nothing.
 */
export function extractApplied(
  shape: TypeShape,
  object: JsonObject,
  manager: string,
  subresource = '',
): JsonObject | undefined {
  const entry = managedFieldsOf(object)?.find(
    (each) => each.manager === manager && each.operation === 'Apply' && (each.subresource ?? '') === subresource,
  )
  if (entry === undefined) return undefined
  const set = leavesOf(fieldSetFromJson(entry.fieldsV1))
  const extracted = extractItems(shape, object, set) as JsonObject | null
  return { apiVersion: object.apiVersion ?? '', kind: object.kind ?? '', ...extracted }
}
