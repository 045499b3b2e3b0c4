import { impliedType, type Path, type Schema, type Value } from '@hykube/tfplugin/value'
import { type Json, plainLeaf, valueInForm } from './json-form.ts'
import { secretTree } from './sensitivity.ts'

/**
 * What of a state may be shown to everybody who may see the object: everything but what the schema calls sensitive or
 * write-only and what these paths lead to, which is left out (null among elements of lists).
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
