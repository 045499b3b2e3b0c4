import type { ProviderAccess } from '../evaluation/index.ts'
import {
  type ChangeInProgress,
  type ChangeRecord,
  deposedKeyOf,
  type InstanceStates,
  type KnownState,
  type ResourceObject,
  type WorkOrder,
} from '../model/index.ts'
import type { ApplyPorts } from './ports.ts'

/** Returns why an object differs from the one that a change was planned for; undefined when it is unchanged. */
export function changedObject(object: ResourceObject | undefined, work: WorkOrder): string | undefined {
  if (object === undefined) return 'the object was deleted since the plan was made'
  if (object.uid !== work.uid)
    return 'the object was deleted and created again since the plan was made: make a new plan'
  if (object.generation === work.generation) return undefined
  return `the object was changed since the plan was made (generation ${work.generation} is ${object.generation} now): make a new plan`
}

export const deletedObject = 'the object was deleted since the plan was made: make a new plan'

export const changedState = 'its state has changed since the plan was made: make a new plan'

/** Returns the provider that a change was planned with; a problem when its package or configuration changed. */
export async function plannedAccess(
  ports: ApplyPorts,
  { ref, kind }: ResourceObject,
  work: WorkOrder,
): Promise<ProviderAccess | { readonly problem: string }> {
  const access = await ports.provider(ref, kind, work.configuration)
  if ('problem' in access || (access.package === work.package && access.epoch === work.epoch)) return access
  return { problem: 'the provider or its configuration has changed since the plan was made: make a new plan' }
}

/** Returns why a creation or update would be refused now, as far as that is known before the steps that it waits for. */
export async function knownRefusal(
  ports: ApplyPorts,
  { target: { ref, instance }, record }: ChangeInProgress,
): Promise<string | undefined> {
  const work = record.work!
  const object = await ports.object(ref)
  const moved = changedObject(object, work)
  if (object === undefined || moved !== undefined) return moved
  if (object.deleting) return deletedObject
  // A configuration that refers to objects may change with the steps of this plan.
  const { length } = await ports.configuredFrom(ref, object.kind, work.configuration)
  const access = length > 0 ? undefined : await plannedAccess(ports, object, work)
  if (access !== undefined && 'problem' in access) return access.problem
  const states = await ports.state(ref, instance)
  const isDestroyedFirst = record.action === 'replace' && record.order !== 'create-first'
  const known = isDestroyedFirst ? destroyedState(states, record) : plannedPrior(states, record)
  return known === 'changed' ? changedState : undefined
}

/** Returns the state record that a change was planned from; undefined when there was none, `moved` when it changed. */
export function plannedPrior(
  states: InstanceStates | undefined,
  { action, order, work, data }: ChangeRecord,
): KnownState | undefined | 'changed' {
  // Reading a data source doesn't depend on its earlier result.
  if (data) return undefined
  // The destroy step of a delete-first replacement has already removed the record.
  if (action === 'replace' && order !== 'create-first') return states?.current === undefined ? undefined : 'changed'
  const seen = states?.observed ?? states?.current
  const { priorSlot, stateRevision } = work!
  if (priorSlot === undefined) return seen === undefined ? undefined : 'changed'
  const known = states?.[priorSlot]
  return known !== undefined && known === seen && known.revision === stateRevision ? known : 'changed'
}

/** Returns the state record that a change destroys; undefined when it no longer exists. */
export function destroyedState(
  states: InstanceStates | undefined,
  record: ChangeRecord,
): KnownState | undefined | 'changed' {
  const { deposed = deposedKeyOf(record), priorSlot, stateRevision } = record.work!
  if (deposed !== undefined) return states?.deposed.find(({ key }) => key === deposed)
  const known = priorSlot === undefined ? undefined : states?.[priorSlot]
  return known === undefined || known.revision === stateRevision ? known : 'changed'
}
