import { pathToText } from '@hykube/tfplugin/value'
import type { SpecReference } from '../../expression/index.ts'

/**
 * Returns a test for uses that a spec already had. A use is the same when the same expression stands at the same path: another
 * expression may read another value, and another path may send it elsewhere.
 */
export function unchangedUses(
  before: readonly SpecReference[],
  after: readonly SpecReference[],
): (use: SpecReference) => boolean {
  const known = new Set(before.map(placeOf))
  // Values of for_each reach every path with each.value, so a new each.value is a new use of them.
  const isSpreadAsBefore = after.every((use) => use.reference.kind !== 'each' || known.has(placeOf(use)))
  return (use) => known.has(placeOf(use)) && (use.role !== 'expansion' || isSpreadAsBefore)
}

function placeOf({ role, path, text }: SpecReference): string {
  return JSON.stringify([role, pathToText(path), text])
}
