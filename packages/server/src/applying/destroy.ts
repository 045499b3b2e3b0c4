import type { AccessSession } from '../evaluation/index.ts'
import { changedAttributes, type ProviderAccess, resourceInstance } from '../evaluation/index.ts'
import type { ChangeInProgress, IntentDraft, KnownState, ResourceKind, ResourceObject } from '../model/index.ts'
import { addressOf } from '../model/index.ts'
import { type ApplyInput, type FinalCall, finalPlan, judgeOutcome } from '../terraform/index.ts'
import { callProvider } from './call-provider.ts'
import type { ApplyPorts } from './ports.ts'
import { approvedChange, intentCall, outcomeDraft, readState } from './records.ts'
import { changedObject, changedState, destroyedState } from './staleness.ts'
import { fail, refuse, type StepOutcome } from './step-outcome.ts'

/** Destroys or forgets the resource of a change. */
export async function applyDestroy(ports: ApplyPorts, change: ChangeInProgress): Promise<StepOutcome> {
  const { target, record } = change
  const object = await ports.object(target.ref)
  // An orphan has no object that could have changed.
  const moved = object === undefined ? undefined : changedObject(object, record.work!)
  if (moved !== undefined) return refuse(ports, change, moved)
  const kind = object?.kind ?? ports.kinds.at(target.ref.cluster, target.ref.group, target.ref.resource)
  if (kind === undefined) return refuse(ports, change, 'its provider is no longer installed')
  const states = await ports.state(target.ref, target.instance)
  const known = destroyedState(states, record)
  if (known === 'changed') return refuse(ports, change, changedState)
  if (known === undefined) return { kind: 'applied' }
  const draft: IntentDraft = { change, step: 'delete', object, states }
  if (record.action === 'forget' || record.order === 'forget-first') return forget(ports, draft, kind)
  const claim = await ports.destroy(target.ref)
  if (claim.kind === 'refused') return refuse(ports, change, claim.message)
  try {
    const access = await ports.provider(target.ref, kind, known.record.configuration)
    if ('problem' in access) return await refuse(ports, change, access.problem)
    return await access.use((session) => destroy(ports, draft, { kind, access, known, session }))
  } finally {
    claim.end()
  }
}

interface DestroyFacts {
  readonly kind: ResourceKind
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
  const { target, record } = change
  const instance = resourceInstance(kind, access, addressOf({ ref: target.ref, kind: kind }, target.instance))
  const prior = await readState(instance, known, access, session)
  if (prior === undefined)
    return fail(ports, change, 'the provider cannot read its state: see the logs of the provider')
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
  const object = { ref: target.ref, kind } as ResourceObject
  return callProvider(
    ports,
    begun,
    plan,
    session.port,
    (answer) => judgeOutcome(input, plan, answer),
    (outcome) => outcomeDraft(object, undefined, prior, outcome, known.record, ports.now()),
  )
}

// Reports all attributes as changed, so that dependents are planned again like after a destruction.
async function forget(ports: ApplyPorts, draft: IntentDraft, { schema }: ResourceKind): Promise<StepOutcome> {
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
