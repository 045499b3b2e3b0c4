import { type Block, impliedType } from '@hykube/tfplugin/schema'
import { isObject, isUnknown, type Value, valueObject } from '@hykube/tfplugin/value'
import type { PlannedInstance } from './calls/planned-instance.ts'
import { partOf } from './parts.ts'
import { sameValues } from './same-values.ts'
import { equalsUpToZero } from './zero-values.ts'

/** The values of an instance that drift is judged from. */
export interface DriftInput {
  readonly applied: Value
  /** The value that the provider read. */
  readonly seen: Value
  readonly config: Value
  /** The provider's plan with `seen` as prior state. */
  readonly planned: PlannedInstance
}

/**
 * Names the attributes and blocks at the top that differ from the applied value and that a plan would change. Without a plan it is
 * unknown whether the provider tells null from a zero value, so every other difference counts. A value that the configuration leaves
 * open and the plan leaves unknown is not a change that the plan makes.
 */
export function driftedAttributes(block: Block, { applied, seen, config, planned }: DriftInput): string[] {
  const type = impliedType(block)
  if (type.kind !== 'object') return []
  return [...type.attributes]
    .filter(([name, part]) => {
      const [before, now] = [partOf(applied, name), partOf(seen, name)]
      if (sameValues(before, now)) return false
      if (planned.kind !== 'planned') return !equalsUpToZero(part, before, now)
      if (planned.legacy && equalsUpToZero(part, before, now)) return false
      const after = partOf(planned.after, name)
      return !sameValues(after, now) && !(isUnknown(after) && partOf(config, name) === null)
    })
    .map(([name]) => name)
}

/** The applied value with what was seen in place of every difference that is not drift. */
export function appliedWithDrift(applied: Value, seen: Value, drifted: readonly string[]): Value {
  if (!isObject(applied) || !isObject(seen)) return applied
  return valueObject({ ...seen, ...Object.fromEntries(drifted.map((name) => [name, applied[name] ?? null])) })
}
