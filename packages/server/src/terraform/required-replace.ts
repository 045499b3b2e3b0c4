import type { Schema } from '@hykube/tfplugin/schema'
import { type Path, samePath, type Value, valueAt } from '@hykube/tfplugin/value'
import { sameValues } from './same-values.ts'
import { attributeAt } from './schema-facts.ts'

/** The paths that force a replacement, of those that a provider named. */
export interface RequiredReplace {
  readonly paths: readonly Path[]
  /** True when a write-only attribute is among them. Its prior value isn't stored, so it counts as changed. */
  readonly writeOnly: boolean
  /** Paths that exist in neither value, which is a bug of the provider. */
  readonly nowhere: readonly Path[]
}

/** Returns the paths whose value actually changes. */
export function requiredReplace(
  { block }: Schema,
  named: readonly Path[],
  prior: Value,
  planned: Value,
): RequiredReplace {
  if (named.length === 0 || prior === null) return nothing
  const paths: Path[] = []
  const nowhere: Path[] = []
  let writeOnly = false
  for (const path of named) {
    const before = valueAt(prior, path)
    const after = valueAt(planned, path)
    const isWriteOnly = attributeAt(block, path)?.writeOnly === true
    if (before === undefined && after === undefined) nowhere.push(path)
    else if (isWriteOnly || !sameValues(before ?? null, after ?? null)) {
      writeOnly ||= isWriteOnly
      if (!paths.some((known) => samePath(known, path))) paths.push(path)
    }
  }
  return { paths, writeOnly, nowhere }
}

const nothing: RequiredReplace = { paths: [], writeOnly: false, nowhere: [] }
