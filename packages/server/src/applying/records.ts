import { Buffer } from 'node:buffer'
import { identityType, impliedType } from '@hykube/tfplugin/schema'
import { type Value, valueFromMsgpack, valueToMsgpack } from '@hykube/tfplugin/value'
import type { AccessSession } from '../evaluation/index.ts'
import {
  changedAttributes,
  hideSecrets,
  type InstanceConfig,
  lifecycleOf,
  type ProviderAccess,
  shownDiagnostics,
} from '../evaluation/index.ts'
import type { IntentCall, IntentDraft, OutcomeDraft, SentRequest } from '../model/index.ts'
import {
  type ChangeRecord,
  deposedKeyOf,
  type InstanceState,
  type KnownState,
  pathFromJson,
  type ResourceKind,
  type ResourceObject,
  type StateFacts,
  type StateRecord,
  settledFacts,
  stateToRecord,
  storedInstance,
  type WorkOrder,
} from '../model/index.ts'
import {
  type Action,
  type FinalCall,
  type Outcome,
  type PlannedChange,
  publicAttributes,
  type ResourceInstance,
  upgradeState,
} from '../terraform/index.ts'
import { shown } from './step-outcome.ts'

/** Decodes a record in the provider's current schema version; undefined when the provider can't upgrade it. */
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

/** Decodes the approved change. */
export function approvedChange(
  { schema, identity }: ResourceKind,
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

/** Returns the fields of a state record that don't come from the provider. */
export function stateFacts(
  { uid, kind, spec }: ResourceObject,
  { configuration, package: hash }: ProviderAccess,
  { fingerprint, refersTo }: InstanceConfig & { readonly refersTo: readonly string[] },
): StateFacts {
  const facts = settledFacts(lifecycleOf(spec), configuration, refersTo, fingerprint)
  return { uid, type: kind.type, package: hash, ...facts }
}

/** Returns the state record that a step changes, before the step. The new resource of a create-first replacement has none. */
export function recordBefore({ change, step, states, depose }: IntentDraft): StateRecord | undefined {
  if (depose !== undefined) return undefined
  const { record } = change
  const deposed = record.work?.deposed ?? (step === 'delete' ? deposedKeyOf(record) : undefined)
  if (deposed !== undefined) return states?.deposed.find(({ key }) => key === deposed)?.record
  return (states?.observed ?? states?.current)?.record
}

/** Returns the part of an intent that describes the call. */
export function intentCall(
  kind: ResourceKind,
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

// A create with exactly the approved values: the change record already contains the request.
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

function sentRequest({ schema, identity }: ResourceKind, request: FinalCall['request']): SentRequest {
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

/** Rebuilds the request of an intent without a stored request from its change. */
export function approvedRequest({ planned, plannedPrivate, plannedIdentity }: WorkOrder): SentRequest {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  return {
    prior: nothingInMsgpack,
    planned: planned === undefined ? nothingInMsgpack : bytes(planned),
    plannedPrivate: bytes(plannedPrivate ?? ''),
    ...(plannedIdentity !== undefined && { plannedIdentity: bytes(plannedIdentity) }),
  }
}

// Null in msgpack.
const nothingInMsgpack = Uint8Array.of(0xc0)

/** Converts the outcome of a step for the ledger. After a failure the fingerprint is cleared, so that the next plan visits the instance. */
export function outcomeDraft(
  object: Pick<ResourceObject, 'ref' | 'kind'>,
  config: InstanceConfig | undefined,
  prior: InstanceState | undefined,
  { kind, state, ...findings }: Outcome,
  facts: StateFacts,
  at: string,
): OutcomeDraft {
  const { schema, identity } = object.kind
  const diagnostics = shownDiagnostics({ object: object as ResourceObject }, config, findings)
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
