import { Buffer } from 'node:buffer'
import { impliedType, valueFromMsgpack } from '@hykube/tfplugin/value'
import {
  type AccessSession,
  type ApplyInput,
  carryOut,
  type FinalCall,
  type InstanceState,
  judgeOutcome,
  type NodeKind,
  type Outcome,
  type ProviderAccess,
  type ResourceInstance,
  refreshState,
  type StateFacts,
} from '../plan/index.ts'
import { configurationNow } from './inputs-now.ts'
import type { ApplyPorts, BegunIntent, IntentDraft } from './ports.ts'
import { approvedChange, describedInstance, outcomeDraft } from './records.ts'
import type { StepOutcome } from './step-outcome.ts'

/** A call that was begun, and of which nobody knows what came. */
export interface OpenCall {
  readonly draft: IntentDraft
  readonly kind: NodeKind
  readonly repeatable: boolean
  /** In msgpack. */
  readonly prior: Uint8Array
  readonly planned: Uint8Array
  readonly plannedPrivate: Uint8Array
  readonly facts: StateFacts
}

/**
 * Finds out what came of a call whose answer was lost. Its process must be dead. A call that may be repeated is. What was
 * updated or destroyed is read, because it is known which object that was. What was created and may not be repeated stays
 * open: only a person can tell.
 */
export async function recoverCall(ports: ApplyPorts, open: OpenCall): Promise<StepOutcome> {
  const { place } = open.draft.change
  const access = await ports.provider(place.node, open.kind, open.facts.configuration)
  if ('problem' in access) return { kind: 'unknown', message: access.problem }
  const instance = describedInstance(place.node, open.kind, place.instance, access)
  return access.use(async (session) => {
    const outcome = open.repeatable
      ? await repeat(ports, open, instance, access, session)
      : open.draft.step === 'create'
        ? undefined
        : await look(open, instance, session)
    if (outcome === undefined) return { kind: 'unknown', message: lost }
    const begun: BegunIntent = { kind: 'begun', draft: open.draft }
    const node = { place: place.node, kind: open.kind }
    const draft = outcomeDraft(node, undefined, priorOf(open), outcome, open.facts, ports.now())
    await ports.ledger.end(begun, draft)
    return outcome.kind === 'applied'
      ? { kind: 'applied' }
      : { kind: 'failed', message: draft.outcome.message ?? 'the provider failed' }
  })
}

const lost = 'the answer of the provider was lost, and nobody knows whether the object exists: see hykube resolve'

// Everything is sent as it was sent; the configuration is what it was as long as the object and its inputs are.
async function repeat(
  ports: ApplyPorts,
  open: OpenCall,
  instance: ResourceInstance,
  access: ProviderAccess,
  { port }: AccessSession,
): Promise<Outcome | undefined> {
  const { draft, kind, plannedPrivate } = open
  const { place, record } = draft.change
  const type = impliedType(kind.schema.block)
  const isDelete = draft.step === 'delete'
  const config =
    isDelete || draft.node === undefined
      ? undefined
      : await configurationNow(ports, draft.node, place.instance, access, record.work!)
  if (!isDelete && config?.kind !== 'config') return undefined
  const prior = priorOf(open)
  const plan: FinalCall = {
    kind: 'call',
    step: draft.step,
    request: {
      typeName: kind.type,
      priorState: prior?.value ?? null,
      plannedState: valueFromMsgpack(open.planned, type),
      config: config?.kind === 'config' ? config.value : null,
      plannedPrivate,
    },
    afterSensitive: config?.kind === 'config' ? config.sensitive : [],
    diagnostics: [],
    notes: [],
  }
  const input: ApplyInput = {
    ...instance,
    approved: approvedChange(kind, record, prior),
    step: draft.step,
    config: plan.request.config,
    configSensitive: plan.afterSensitive,
    lifecycle: { ignoreChanges: [] },
    ...(prior !== undefined && { prior }),
  }
  return judgeOutcome(input, plan, await carryOut(plan, port))
}

// The object is as it is: what is left to do is for the next plan.
async function look(open: OpenCall, instance: ResourceInstance, { port }: AccessSession): Promise<Outcome | undefined> {
  const prior = priorOf(open)
  if (prior === undefined) return undefined
  const read = await refreshState(instance, prior, port)
  if (read.kind !== 'refreshed') return undefined
  const { step } = open.draft
  if (read.state === undefined)
    return { kind: step === 'delete' ? 'applied' : 'failed', ...nothing, ...interrupted(step) }
  return { kind: 'failed', state: read.state, ...nothing, ...interrupted(step) }
}

const nothing = { unclear: false, notes: [] } as const

function interrupted(step: IntentDraft['step']): Pick<Outcome, 'diagnostics'> {
  if (step === 'delete')
    return {
      diagnostics: [{ severity: 'error', summary: 'it was interrupted, and the object is still there: plan again' }],
    }
  return {
    diagnostics: [{ severity: 'error', summary: 'it was interrupted, and what is there now was read: plan again' }],
  }
}

function priorOf({ prior, kind, draft }: OpenCall): InstanceState | undefined {
  const value = valueFromMsgpack(prior, impliedType(kind.schema.block))
  if (value === null) return undefined
  const known = (draft.states?.observed ?? draft.states?.current)?.record
  return {
    value,
    private: known?.private === undefined ? new Uint8Array(0) : Buffer.from(known.private, 'base64'),
    schemaVersion: kind.schema.version,
    status: known?.status ?? 'ready',
    sensitivePaths: [],
  }
}
