import { impliedType, ValueError, valueFromJson } from '@hykube/tfplugin/value'
import { type NodeKind, pathFromJson, publicAttributes, type StateRecord } from '../plan/index.ts'

/** The attributes of a record that everybody may see; none when the record was written under an older schema that differs. */
export function knownAttributes({ schema }: NodeKind, record: StateRecord): Readonly<Record<string, unknown>> {
  try {
    const value = valueFromJson(record.attributes, impliedType(schema.block))
    return publicAttributes(schema, value, (record.sensitive ?? []).map(pathFromJson))
  } catch (error) {
    if (error instanceof ValueError) return {}
    throw error
  }
}
