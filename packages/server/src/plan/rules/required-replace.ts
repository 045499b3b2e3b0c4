import { type Path, type Schema, samePath, type Value, valueAt } from '@hykube/tfplugin/value'
import { sameValues } from './same-values.ts'
import { attributeAt } from './schema-facts.ts'

/** Which of the places that a provider named do need a new object, and which are nowhere. */
export interface RequiredReplace {
  readonly paths: readonly Path[]
  /** A write-only attribute among them: what it was before is not known, so that it counts as changed. */
  readonly writeOnly: boolean
  /** In neither value: a bug of the provider. */
  readonly nowhere: readonly Path[]
}

/** Keeps of the places named by a provider those whose value really changes. */
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
