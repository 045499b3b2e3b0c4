import type { Path } from '@hykube/tfplugin/value'
import type { Estate } from '../../estate/index.ts'
import { referencesOf, type SpecReference } from '../../expression/index.ts'
import {
  type NodeFacts,
  outputsOfStates,
  type ReferenceTarget,
  reachesSensitive,
  repetitionOf,
  resolveReference,
  schemaReaches,
  takesValue,
} from '../../plan/index.ts'
import type { EstateReader } from '../estate-reader.ts'

/**
 * Whether a use may reach something sensitive: by the target's schema, by what the target's spec is built from, or by what is
 * known of its instances. A value that becomes sensitive later is found by the planner.
 */
export async function mayBeSensitive(
  use: SpecReference,
  { kind, place }: ReferenceTarget,
  reader: EstateReader,
  estate: Estate,
): Promise<boolean> {
  const { reference, role } = use
  if (kind === undefined || reference.kind !== 'resource' || role === 'depends_on') return false
  // A trigger that names no attribute follows the object as a whole, and takes no value of it.
  if (role === 'replace_triggered_by' && use.reach.length === 0) return false
  const target = await reader.node(place)
  const repetition = target === undefined ? 'single' : repetitionOf(target.spec)
  const reach = reference.instance.kind === 'none' && repetition !== 'single' ? use.reach.slice(1) : use.reach
  if (schemaReaches(kind.schema.block, reach)) return true
  if (target !== undefined && builtFromSecrets(target, reader).some((path) => overlap(path, reach))) return true
  const { instances } = await estate.instances(place, undefined, mostInstances)
  return reachesSensitive(outputsOfStates(kind.schema, repetition, instances), reference, use.reach)
}

// Instances of a batch are built alike; the planner looks at all of them.
const mostInstances = 16

/** Where a spec holds what it takes from Secrets or from what schemas call sensitive. */
function builtFromSecrets(node: NodeFacts, reader: EstateReader): Path[] {
  const { references } = referencesOf(node.kind.schema.block, node.spec)
  const isSecret = (use: SpecReference) => {
    if (use.reference.kind === 'secret') return true
    if (use.reference.kind !== 'resource' || !takesValue(use)) return false
    const target = resolveReference(node, use.reference, reader.kinds)
    return target !== undefined && 'place' in target && schemaReaches(target.kind!.schema.block, use.reach)
  }
  const isSpread = references.some((use) => use.role === 'expansion' && isSecret(use))
  return references
    .filter((use) => isSecret(use) || (isSpread && use.reference.kind === 'each'))
    .map(({ path }) => path)
}

function overlap(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((step, at) => nameOf(step) === nameOf(b[at]!))
}

function nameOf(step: Path[number]): string | number {
  return step.kind === 'index' ? step.index : step.kind === 'key' ? step.key : step.name
}
