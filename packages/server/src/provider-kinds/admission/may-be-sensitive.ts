import type { Path } from '@hykube/tfplugin/value'
import type { Estate, EstateReader } from '../../estate/index.ts'
import {
  outputsOfStates,
  type ReferenceTarget,
  reachesSensitive,
  repetitionOf,
  resolveReference,
  schemaReaches,
  takesValue,
} from '../../evaluation/index.ts'
import { referencesOf, type SpecReference } from '../../expression/index.ts'
import type { ResourceObject } from '../../model/index.ts'

/**
 * True when a use may read a sensitive value: by the target's schema, by the references in the target's spec, or by the states of its
 * instances. The planner checks again, because a value may become sensitive later.
 */
export async function mayBeSensitive(
  use: SpecReference,
  { kind, ref }: ReferenceTarget,
  reader: EstateReader,
  estate: Estate,
): Promise<boolean> {
  const { reference, role } = use
  if (kind === undefined || reference.kind !== 'resource' || role === 'depends_on') return false
  // A trigger without an attribute follows changes of the whole object and reads no value.
  if (role === 'replace_triggered_by' && use.reach.length === 0) return false
  const target = await reader.object(ref)
  const repetition = target === undefined ? 'single' : repetitionOf(target.spec)
  const reach = reference.instance.kind === 'none' && repetition !== 'single' ? use.reach.slice(1) : use.reach
  if (schemaReaches(kind.schema.block, reach)) return true
  if (target !== undefined && pathsOfSecrets(target, reader).some((path) => overlap(path, reach))) return true
  const { instances } = await estate.instances(ref, undefined, mostInstances)
  return reachesSensitive(outputsOfStates(kind.schema, repetition, instances), reference, use.reach)
}

// Instances of a batch have the same schema and expressions, so a sample is enough here; the planner checks all of them.
const mostInstances = 16

/** Returns the paths of a spec with values from Secrets or from attributes that a schema marks as sensitive. */
function pathsOfSecrets(object: ResourceObject, reader: EstateReader): Path[] {
  const { references } = referencesOf(object.kind.schema.block, object.spec)
  const isSecret = (use: SpecReference) => {
    if (use.reference.kind === 'secret') return true
    if (use.reference.kind !== 'resource' || !takesValue(use)) return false
    const target = resolveReference(object, use.reference, reader.kinds)
    return target !== undefined && 'ref' in target && schemaReaches(target.kind!.schema.block, use.reach)
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
