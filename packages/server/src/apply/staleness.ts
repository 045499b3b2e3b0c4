import type { ChangeRecord, InstanceStates, KnownState, NodeFacts, ProviderAccess, WorkOrder } from '../plan/index.ts'
import type { ApplyPorts } from './ports.ts'

/** What is wrong with an object that a change was planned for; undefined when it is as it was. */
export function movedObject(node: NodeFacts | undefined, work: WorkOrder): string | undefined {
  if (node === undefined) return 'the object was deleted since the plan was made'
  if (node.uid !== work.uid) return 'the object was deleted and created anew since the plan was made: make a new plan'
  if (node.generation === work.generation) return undefined
  return `the object was changed since the plan was made (generation ${work.generation} is ${node.generation} now): make a new plan`
}

export const movedState = 'its state has changed since the plan was made: make a new plan'

/** The provider that a change was planned with, if it is still that. */
export async function plannedAccess(
  ports: ApplyPorts,
  { place, kind }: NodeFacts,
  work: WorkOrder,
): Promise<ProviderAccess | { readonly problem: string }> {
  const access = await ports.provider(place, kind, work.configuration)
  if ('problem' in access || (access.package === work.package && access.epoch === work.epoch)) return access
  return { problem: 'the provider or its configuration has changed since the plan was made: make a new plan' }
}

/** The very record that a change started from, undefined where it started from nothing. */
export function plannedPrior(
  states: InstanceStates | undefined,
  { action, order, work, data }: ChangeRecord,
): KnownState | undefined | 'moved' {
  // A data source is read whatever it said before.
  if (data) return undefined
  // The old one of a replacement is gone by now, unless the new one comes first.
  if (action === 'replace' && order !== 'create-first') return states?.current === undefined ? undefined : 'moved'
  const seen = states?.observed ?? states?.current
  const { priorSlot, stateRevision } = work!
  if (priorSlot === undefined) return seen === undefined ? undefined : 'moved'
  const known = states?.[priorSlot]
  return known !== undefined && known === seen && known.revision === stateRevision ? known : 'moved'
}

/** The record of what a change destroys; undefined when it is gone already. */
export function destroyedState(
  states: InstanceStates | undefined,
  { action, order, work }: ChangeRecord,
): KnownState | undefined | 'moved' {
  const { deposed, priorSlot, stateRevision } = work!
  if (deposed !== undefined) return states?.deposed.find(({ key }) => key === deposed)
  if (action === 'replace' && order === 'create-first') return states?.deposed[0]
  const known = priorSlot === undefined ? undefined : states?.[priorSlot]
  return known === undefined || known.revision === stateRevision ? known : 'moved'
}
