import { impliedType, type Schema } from '@hykube/tfplugin/schema'
import type { Path, Value } from '@hykube/tfplugin/value'
import { type Json, plainLeaf, valueInForm } from '../json-form.ts'
import { secretTree } from './sensitivity.ts'

/**
 * Returns the attributes of a state for the object's status. Attributes that the schema marks as sensitive or write-only and values at
 * these paths are omitted; omitted list elements become null.
 */
export function publicAttributes(
  schema: Schema,
  value: Value,
  sensitivePaths: readonly Path[],
): { readonly [name: string]: Json } {
  const tree = secretTree(schema, value, sensitivePaths)
  const form = { sensitive: () => undefined, unknown: () => undefined, leaf: plainLeaf }
  const json = valueInForm(value, impliedType(schema.block), tree, form)
  return (json ?? {}) as { readonly [name: string]: Json }
}
