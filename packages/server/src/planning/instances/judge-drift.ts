import type { Value } from '@hykube/tfplugin/value'
import type { InstanceConfig } from '../../evaluation/index.ts'
import type { InstanceState, Lifecycle } from '../../model/index.ts'
import { driftedAttributes, planInstance, type ResourceInstance } from '../../terraform/index.ts'
import type { PlanContext } from '../context.ts'
import type { ObjectPlan } from '../object-plan.ts'

/** The configuration and lifecycle that drift is judged by. */
export interface Wanted {
  readonly config: InstanceConfig
  readonly lifecycle: Lifecycle
}

/**
 * Asks the provider to plan with what it read as prior state. Only differences that this plan would change are drift; others, such
 * as a rewritten JSON text or an empty map in place of null, are kept without being reported.
 */
export async function judgeDrift(
  { signal }: PlanContext,
  { object, access }: ObjectPlan,
  instance: ResourceInstance,
  { config, lifecycle }: Wanted,
  applied: Value,
  seen: InstanceState,
): Promise<{ readonly drift: readonly string[]; readonly isSettled: boolean }> {
  const input = {
    ...instance,
    config: config.value,
    configSensitive: config.sensitive,
    // A refused destruction would hide which attributes the provider would change.
    lifecycle: { ...lifecycle, preventDestroy: false },
    prior: seen,
  }
  const planned = await planInstance(input, access.port, { signal })
  const drift = driftedAttributes(object.kind.schema.block, {
    applied,
    seen: seen.value,
    config: config.value,
    planned,
  })
  return { drift, isSettled: planned.kind === 'planned' && planned.action === 'noop' }
}
