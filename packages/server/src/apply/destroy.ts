import type { AccessSession, KnownState } from '../plan/index.ts'
import {
  type ApplyInput,
  changedAttributes,
  type FinalCall,
  finalPlan,
  judgeOutcome,
  type NodeFacts,
  type NodeKind,
  type ProviderAccess,
} from '../plan/index.ts'
import { callProvider } from './call-provider.ts'
import type { ApplyPorts, ChangeInHand, IntentDraft } from './ports.ts'
import { approvedChange, describedInstance, intentCall, outcomeDraft, readState } from './records.ts'
import { destroyedState, movedObject, movedState } from './staleness.ts'
import { fail, refuse, type StepOutcome } from './step-outcome.ts'

/** Destroys, or forgets, what a change is about. */
export async function applyDestroy(ports: ApplyPorts, change: ChangeInHand): Promise<StepOutcome> {
  const { place, record } = change
  const node = await ports.node(place.node)
  // Of an object that was taken away by force nothing else can have moved.
  const moved = node === undefined ? undefined : movedObject(node, record.work!)
  if (moved !== undefined) return refuse(ports, change, moved)
  const kind = node?.kind ?? ports.kinds.at(place.node.cluster, place.node.group, place.node.resource)
  if (kind === undefined) return refuse(ports, change, 'its provider is not installed any more')
  const states = await ports.state(place.node, place.instance)
  const known = destroyedState(states, record)
  if (known === 'moved') return refuse(ports, change, movedState)
  if (known === undefined) return { kind: 'applied' }
  const draft: IntentDraft = { change, step: 'delete', node, states }
  if (record.action === 'forget' || record.order === 'forget-first') return forget(ports, draft, kind)
  const user = await ports.laterUser(place.node)
  if (user !== undefined) return refuse(ports, change, user)
  const access = await ports.provider(place.node, kind, known.record.configuration)
  if ('problem' in access) return refuse(ports, change, access.problem)
  return access.use((session) => destroy(ports, draft, { kind, access, known, session }))
}

interface DestroyFacts {
  readonly kind: NodeKind
  readonly access: ProviderAccess
  readonly known: KnownState
  readonly session: AccessSession
}

async function destroy(
  ports: ApplyPorts,
  draft: IntentDraft,
  { kind, access, known, session }: DestroyFacts,
): Promise<StepOutcome> {
  const { change } = draft
  const { place, record } = change
  const instance = describedInstance(place.node, kind, place.instance, access)
  const prior = await readState(instance, known, access, session)
  if (prior === undefined)
    return fail(ports, change, 'the provider can not read its state: see the logs of the provider')
  const approved = approvedChange(kind, record, prior)
  const plannedPrivate = record.action === 'replace' ? prior.private : approved.plannedPrivate
  const input: ApplyInput = {
    ...instance,
    approved: { ...approved, after: null, plannedPrivate },
    step: 'delete',
    prior,
    config: null,
    configSensitive: [],
    lifecycle: { ignoreChanges: [] },
  }
  const plan = (await finalPlan(input, session.port)) as FinalCall
  const begun = await ports.ledger.begin({
    ...draft,
    call: intentCall(kind, plan, input.approved, known.record, session),
  })
  if (begun.kind === 'refused') return refuse(ports, change, begun.message)
  const node = { place: place.node, kind } as NodeFacts
  return callProvider(
    ports,
    begun,
    plan,
    session.port,
    (answer) => judgeOutcome(input, plan, answer),
    (outcome) => outcomeDraft(node, undefined, prior, outcome, known.record, ports.now()),
  )
}

// Who refers to it must see that it is gone, as after a destruction.
async function forget(ports: ApplyPorts, draft: IntentDraft, { schema }: NodeKind): Promise<StepOutcome> {
  const begun = await ports.ledger.begin(draft)
  if (begun.kind === 'refused') return refuse(ports, draft.change, begun.message)
  const outcome = { result: 'applied', at: ports.now() } as const
  await ports.ledger.end(begun, {
    outcome,
    record: undefined,
    changed: () => changedAttributes(schema, undefined, null),
  })
  return { kind: 'applied' }
}
