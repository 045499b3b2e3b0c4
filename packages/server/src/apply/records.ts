import { Buffer } from 'node:buffer'
import { identityType, impliedType, type Value, valueFromMsgpack, valueToMsgpack } from '@hykube/tfplugin/value'
import type { AccessSession } from '../plan/index.ts'
import {
  type Action,
  addressOf,
  type ChangeRecord,
  changedAttributes,
  type FinalCall,
  hideSecrets,
  type InstanceConfig,
  type InstanceKey,
  type InstanceState,
  type KnownState,
  lifecycleOf,
  type NodeFacts,
  type NodeKind,
  type NodePlace,
  type Outcome,
  type PlannedChange,
  type ProviderAccess,
  pathFromJson,
  publicAttributes,
  type ResourceInstance,
  type StateFacts,
  type StateRecord,
  settledFacts,
  shownDiagnostics,
  stateToRecord,
  storedInstance,
  upgradeState,
  type WorkOrder,
} from '../plan/index.ts'
import type { IntentCall, IntentDraft, OutcomeDraft, SentRequest } from './ports.ts'
import { shown } from './step-outcome.ts'

/** An instance as the rules know it. */
export function describedInstance(
  place: NodePlace,
  kind: NodeKind,
  instance: InstanceKey,
  { capabilities, secrets }: ProviderAccess,
): ResourceInstance {
  const { provider, type: typeName, schema, identity } = kind
  const address = addressOf({ place, kind }, instance)
  return {
    address,
    provider,
    typeName,
    schema,
    capabilities,
    secrets,
    ...(identity !== undefined && { identitySchema: identity }),
  }
}

/** What a record holds, as the provider's present schema has it; undefined when the provider can't read it. */
export async function readState(
  instance: ResourceInstance,
  { record }: KnownState,
  access: ProviderAccess,
  { port }: AccessSession,
): Promise<InstanceState | undefined> {
  const samePackage = record.package === access.package
  const read = await upgradeState(instance, storedInstance(record), port, { samePackage })
  if (read.kind === 'failed') return undefined
  hideSecrets(access, instance.schema, read.state.value, read.state.sensitivePaths)
  return read.state
}

/** The change that was approved, as the rules know it. */
export function approvedChange(
  { schema, identity }: NodeKind,
  record: ChangeRecord,
  prior: InstanceState | undefined,
): PlannedChange {
  const work = record.work!
  return {
    kind: 'planned',
    action: ruleAction(record),
    before: prior?.value ?? null,
    after:
      work.planned === undefined
        ? null
        : valueFromMsgpack(Buffer.from(work.planned, 'base64'), impliedType(schema.block)),
    plannedPrivate: Buffer.from(work.plannedPrivate ?? '', 'base64'),
    ...(work.plannedIdentity !== undefined &&
      identity !== undefined && {
        afterIdentity: valueFromMsgpack(Buffer.from(work.plannedIdentity, 'base64'), identityType(identity)),
      }),
    requiredReplace: [],
    beforeSensitive: work.beforeSensitive.map(pathFromJson),
    afterSensitive: work.afterSensitive.map(pathFromJson),
    diagnostics: [],
    notes: [],
  }
}

function ruleAction({ action, order }: ChangeRecord): Action {
  if (action === 'replace')
    return order === 'create-first'
      ? 'create-then-delete'
      : order === 'forget-first'
        ? 'forget-then-create'
        : 'delete-then-create'
  return action === 'import' || action === 'blocked' || action === 'deferred' ? 'noop' : action
}

/** What is kept of an instance beside what the provider says. */
export function stateFacts(
  { uid, kind, spec }: NodeFacts,
  { configuration, package: hash }: ProviderAccess,
  { fingerprint, refersTo }: InstanceConfig & { readonly refersTo: readonly string[] },
): StateFacts {
  const facts = settledFacts(lifecycleOf(spec), configuration, refersTo, fingerprint)
  return { uid, type: kind.type, package: hash, ...facts }
}

/** The record of what a step is about, as it was before the step: the new object of a replacement that creates first had none. */
export function recordBefore({ change, step, states, depose }: IntentDraft): StateRecord | undefined {
  if (depose !== undefined) return undefined
  const { place, record } = change
  if (place.part !== '') return states?.deposed.find(({ key }) => place.part === `deposed/${key}`)?.record
  if (step === 'delete' && record.order === 'create-first' && record.action === 'replace')
    return states?.deposed[0]?.record
  return (states?.observed ?? states?.current)?.record
}

/** What is written down of a call before it is made. */
export function intentCall(
  kind: NodeKind,
  { request }: FinalCall,
  approved: PlannedChange,
  facts: StateFacts,
  { process, isRepeatable }: AccessSession,
): IntentCall {
  return {
    process,
    repeatable: isRepeatable(kind.type),
    ...(!isAsApproved(request, approved) && { request: sentRequest(kind, request) }),
    facts,
  }
}

// The very values that were approved, and nothing before them: the change keeps them already.
function isAsApproved(
  { priorState, plannedState, plannedPrivate, plannedIdentity }: FinalCall['request'],
  approved: PlannedChange,
): boolean {
  return (
    priorState === null &&
    plannedState !== null &&
    plannedState === approved.after &&
    plannedPrivate === approved.plannedPrivate &&
    plannedIdentity === approved.afterIdentity
  )
}

function sentRequest({ schema, identity }: NodeKind, request: FinalCall['request']): SentRequest {
  const encode = (value: Value) => valueToMsgpack(value, impliedType(schema.block))
  return {
    prior: encode(request.priorState),
    planned: encode(request.plannedState),
    plannedPrivate: request.plannedPrivate ?? new Uint8Array(0),
    ...(identity !== undefined &&
      request.plannedIdentity != null && {
        plannedIdentity: valueToMsgpack(request.plannedIdentity, identityType(identity)),
      }),
  }
}

/** What a provider was sent of a change that says exactly that. */
export function approvedRequest({ planned, plannedPrivate, plannedIdentity }: WorkOrder): SentRequest {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  return {
    prior: nothingInMsgpack,
    planned: planned === undefined ? nothingInMsgpack : bytes(planned),
    plannedPrivate: bytes(plannedPrivate ?? ''),
    ...(plannedIdentity !== undefined && { plannedIdentity: bytes(plannedIdentity) }),
  }
}

const nothingInMsgpack = Uint8Array.of(0xc0)

/** What is written down of an outcome. An instance that failed is not settled, whatever is kept of it. */
export function outcomeDraft(
  node: Pick<NodeFacts, 'place' | 'kind'>,
  config: InstanceConfig | undefined,
  prior: InstanceState | undefined,
  { kind, state, ...findings }: Outcome,
  facts: StateFacts,
  at: string,
): OutcomeDraft {
  const { schema, identity } = node.kind
  const diagnostics = shownDiagnostics({ node: node as NodeFacts }, config, findings)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const failed = kind === 'failed'
  const message = errors[0]?.detail ?? errors[0]?.summary
  return {
    outcome: {
      result: failed ? 'failed' : 'applied',
      at,
      ...(failed && { message: message ?? 'the provider failed' }),
      ...shown(diagnostics),
    },
    record:
      state === undefined
        ? undefined
        : stateToRecord(state, schema, identity, failed ? { ...facts, fingerprint: '' } : facts),
    ...(state !== undefined && { attributes: () => publicAttributes(schema, state.value, state.sensitivePaths) }),
    changed: () => changedAttributes(schema, prior?.value, state?.value ?? null),
  }
}
