import { hostname } from 'node:os'
import {
  type ApplyPorts,
  approvedRequest,
  type IntentDraft,
  type OpenCall,
  recoverCall,
  type SentRequest,
  type StepOutcome,
} from '../apply/index.ts'
import { changeKey, type IntentRequest, type StoredIntent } from '../estate/index.ts'
import type { ChangeRecord } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import type { ManagedIds } from './managed-ids.ts'
import { tellUnknown } from './tell-unknown.ts'

/** What is known of a call besides its intent. */
export interface LostCall {
  /** Why the answer was lost. */
  readonly why?: string
  /** The process is done with it. */
  readonly isOver?: boolean
}

/**
 * Finds out what came of a call that was begun: by a server that died, or by a provider whose answer was lost. Whatever can't be found
 * out is told on the object, and stays open until a person decides.
 */
export async function recoverIntent(
  parts: EngineParts,
  ports: ApplyPorts,
  managed: ManagedIds,
  stored: StoredIntent,
  { why, isOver = false }: LostCall = {},
): Promise<StepOutcome> {
  await parts.reached?.('recovering', stored.intent.address)
  const found = await decide(parts, ports, managed, stored, isOver)
  if (found.kind !== 'unknown') return found
  const message = why === undefined ? `${lost}; ${found.message}` : `${why}; ${found.message}`
  await tellUnknown(parts, stored, message, found.waits)
  const change = await changeOf(parts, stored)
  if (change !== undefined) await ports.ledger.note(change, { result: 'unknown', message, at: ports.now() })
  return { kind: 'unknown', message }
}

const lost = 'the answer of the provider was lost'

async function decide(
  parts: EngineParts,
  ports: ApplyPorts,
  managed: ManagedIds,
  stored: StoredIntent,
  isOver: boolean,
): Promise<StepOutcome & { readonly waits?: boolean }> {
  let at: StoredIntent | undefined = stored
  let problem = ''
  for (let attempt = 1; attempt <= mostAttempts && at !== undefined; attempt++) {
    const running = isOver && attempt === 1 ? undefined : await stillRunning(parts, at)
    if (running !== undefined) return { kind: 'unknown', message: running, waits: true }
    const open = await openCall(parts, managed, at)
    if (typeof open === 'string') return { kind: 'unknown', message: open }
    try {
      return await recoverCall(ports, open)
    } catch (error) {
      if (parts.isFencedOff?.(error) === true) throw error
      problem = ports.describe(error)
      if (attempt < mostAttempts && ports.isUnsent(error)) await parts.clock.sleep(pause * attempt)
    }
    // The process that was asked last may be another one.
    at = await parts.estate.intent(stored)
  }
  return at === undefined
    ? decided(parts, stored)
    : { kind: 'unknown', message: `nobody could look into it: ${problem}` }
}

// A provider that keeps ending is started again after a while.
const mostAttempts = 4
const pause = 1000

// Nobody decides while it may still be at work. On this machine it is ended; on another one its time must be over.
async function stillRunning(parts: EngineParts, { intent }: StoredIntent): Promise<string | undefined> {
  const { process, deadline } = intent
  if (process === undefined) return undefined
  if (process.host === hostname()) {
    await parts.endProcess(process)
    return undefined
  }
  if (deadline <= parts.clock.now()) return undefined
  return `a process on machine ${process.host} may be at it until ${new Date(deadline).toISOString()}; it is decided then`
}

// The outcome was written, although its writer was not told so.
async function decided(parts: EngineParts, stored: StoredIntent): Promise<StepOutcome> {
  const { outcome, half } = (await changeOf(parts, stored))?.record ?? {}
  if (outcome?.result === 'applied' || (outcome === undefined && half !== undefined)) return { kind: 'applied' }
  return { kind: 'failed', message: outcome?.message ?? 'it was decided meanwhile' }
}

async function changeOf({ estate }: EngineParts, { node, instance, intent }: StoredIntent) {
  const key = changeKey({ cluster: node.cluster, plan: intent.plan, node, instance, part: intent.part })
  return estate.change<ChangeRecord>(key)
}

async function openCall(parts: EngineParts, managed: ManagedIds, stored: StoredIntent): Promise<OpenCall | string> {
  const { intent, node: place, instance } = stored
  const { estate, kinds, reader } = parts
  const kind = kinds.at(place.cluster, place.group, place.resource)
  if (kind === undefined) return 'its provider is not installed'
  const change = await changeOf(parts, stored)
  if (change?.record.work === undefined) return 'the plan that began it is gone'
  const node = await reader.node(place)
  const isSame = node?.uid === intent.uid && node.generation === change.record.work.generation
  const draft: IntentDraft = {
    change: { place: { node: place, instance, part: intent.part }, record: change.record },
    step: intent.step === 'delete-deposed' ? 'delete' : intent.step,
    node: isSame ? node : undefined,
    states: await estate.state(place, instance),
    ...(intent.depose !== undefined && { depose: intent.depose }),
  }
  const sent = await estate.request(stored)
  return {
    draft,
    kind,
    repeatable: intent.repeatable,
    request: sent === undefined ? approvedRequest(change.record.work) : requestBytes(sent),
    facts: intent.facts,
    isManaged: (id) => managed.has(place.cluster, kind, id),
  }
}

function requestBytes({ prior, planned, plannedPrivate, plannedIdentity }: IntentRequest): SentRequest {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  return {
    prior: bytes(prior),
    planned: bytes(planned),
    plannedPrivate: bytes(plannedPrivate),
    ...(plannedIdentity !== undefined && { plannedIdentity: bytes(plannedIdentity) }),
  }
}
