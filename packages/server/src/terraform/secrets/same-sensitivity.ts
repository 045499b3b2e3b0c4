import type { Schema } from '@hykube/tfplugin/schema'
import { type Path, samePath, type Value, valueAt } from '@hykube/tfplugin/value'
import { attributeAt } from '../schema-facts.ts'

/**
 * True when the same paths are sensitive in the state and in the plan, apart from those that the schema marks. If only this differs, the
 * change is an update of the stored state without a call to the provider.
 */
export function sameSensitivity(
  schema: Schema,
  prior: Value,
  before: readonly Path[],
  planned: Value,
  after: readonly Path[],
): boolean {
  if (before.length === 0 && after.length === 0) return true
  const significant = (paths: readonly Path[], value: Value) =>
    paths.filter((path) => !isSensitiveBySchema(schema, path) && valueAt(value, path) !== undefined)
  return samePaths(significant(before, prior), significant(after, planned))
}

function isSensitiveBySchema({ block }: Schema, path: Path): boolean {
  return path.some((_, i) => attributeAt(block, path.slice(0, i + 1))?.sensitive === true)
}

function samePaths(a: readonly Path[], b: readonly Path[]): boolean {
  const covers = (paths: readonly Path[], path: Path) => paths.some((other) => samePath(other, path))
  return a.every((path) => covers(b, path)) && b.every((path) => covers(a, path))
}
