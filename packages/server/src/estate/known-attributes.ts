import { impliedType } from '@hykube/tfplugin/schema'
import { ValueError, valueFromJson } from '@hykube/tfplugin/value'
import { pathFromJson, type ResourceKind, type StateRecord } from '../model/index.ts'
import { publicAttributes } from '../terraform/index.ts'

/** Returns the non-sensitive attributes of a record; empty when an incompatible older schema wrote it. */
export function knownAttributes({ schema }: ResourceKind, record: StateRecord): Readonly<Record<string, unknown>> {
  try {
    const value = valueFromJson(record.attributes, impliedType(schema.block))
    return publicAttributes(schema, value, (record.sensitive ?? []).map(pathFromJson))
  } catch (error) {
    if (error instanceof ValueError) return {}
    throw error
  }
}
