import { pathToText } from '@hykube/tfplugin/value'
import type { SpecReference } from '../../expression/index.ts'

/**
 * Tells which uses of values a spec had before. A use is the same when the same text stands at the same path; any other text may
 * take something else of the target, and any other path is another destination.
 */
export function keptUses(
  before: readonly SpecReference[],
  after: readonly SpecReference[],
): (use: SpecReference) => boolean {
  const known = new Set(before.map(placeOf))
  // What count and for_each give goes to where each.value stands.
  const isSpreadAsBefore = after.every((use) => use.reference.kind !== 'each' || known.has(placeOf(use)))
  return (use) => known.has(placeOf(use)) && (use.role !== 'expansion' || isSpreadAsBefore)
}

function placeOf({ role, path, text }: SpecReference): string {
  return JSON.stringify([role, pathToText(path), text])
}
