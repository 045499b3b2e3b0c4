import { hostname } from 'node:os'
import { type ApplyPorts, approvedRequest, type OpenCall, recoverCall, type StepOutcome } from '../../applying/index.ts'
import { changeKey, type IntentRequest, type StoredIntent } from '../../estate/index.ts'
import type { ChangeRecord, IntentDraft, SentRequest } from '../../model/index.ts'
import type { EngineParts } from '../engine-parts.ts'
import { writeUnknownStatus } from '../status/write-unknown-status.ts'
import type { ManagedIds } from './managed-ids.ts'

/** Facts about a lost call besides its intent. */
export interface LostCall {
  /** Why the answer was lost. */
  readonly why?: string
  /** True when the process has finished the call. */
  readonly isFinished?: boolean
}

/**
 * Decides the outcome of a call whose server crashed or whose answer was lost. If it can't be decided, the object's status says so and the
 * intent stays open until a user resolves it.
 */
export async function recoverIntent(
  parts: EngineParts,
  ports: ApplyPorts,
  managed: ManagedIds,
  stored: StoredIntent,
  { why, isFinished = false }: LostCall = {},
): Promise<StepOutcome> {
  await parts.reached?.('recovering', stored.intent.address)
  const found = await decide(parts, ports, managed, stored, isFinished)
  if (found.kind !== 'unknown') return found
  const message = why === undefined ? `${lost}; ${found.message}` : `${why}; ${found.message}`
  await writeUnknownStatus(parts, stored, message, found.waits)
  const change = await changeOf(parts, stored)
  if (change !== undefined) await ports.ledger.recordOutcome(change, { result: 'unknown', message, at: ports.now() })
  return { kind: 'unknown', message }
}

const lost = 'the answer of the provider was lost'

async function decide(
  parts: EngineParts,
  ports: ApplyPorts,
  managed: ManagedIds,
  stored: StoredIntent,
  isFinished: boolean,
): Promise<StepOutcome & { readonly waits?: boolean }> {
  let at: StoredIntent | undefined = stored
  let problem = ''
  for (let attempt = 1; attempt <= mostAttempts && at !== undefined; attempt++) {
    const running = isFinished && attempt === 1 ? undefined : await stillRunning(parts, at)
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
    // The failed attempt may have recorded another process.
    at = await parts.estate.intent(stored)
  }
  return at === undefined
    ? decided(parts, stored)
    : { kind: 'unknown', message: `the provider could not be called: ${problem}` }
}

// Attempts, with growing pauses in milliseconds, for a provider that crashes and is restarted.
const mostAttempts = 4
const pause = 1000

// Returns a message while the process of a call may still be running. On this machine the process is ended; on another one the deadline
// must have passed.
async function stillRunning(parts: EngineParts, { intent }: StoredIntent): Promise<string | undefined> {
  const { process, deadline } = intent
  if (process === undefined) return undefined
  if (process.host === hostname()) {
    await parts.endProcess(process)
    return undefined
  }
  if (deadline <= parts.clock.now()) return undefined
  return `a process on machine ${process.host} may be running the call until ${new Date(deadline).toISOString()}; it is decided then`
}

// The intent is closed: an outcome was committed, although the commit seemed to fail.
async function decided(parts: EngineParts, stored: StoredIntent): Promise<StepOutcome> {
  const { outcome, half } = (await changeOf(parts, stored))?.record ?? {}
  if (outcome?.result === 'applied' || (outcome === undefined && half !== undefined)) return { kind: 'applied' }
  return { kind: 'failed', message: outcome?.message ?? 'its outcome was already decided' }
}

async function changeOf({ estate }: EngineParts, { ref, instance, intent }: StoredIntent) {
  const key = changeKey({ cluster: ref.cluster, plan: intent.plan, ref, instance, part: intent.part })
  return estate.change<ChangeRecord>(key)
}

async function openCall(parts: EngineParts, managed: ManagedIds, stored: StoredIntent): Promise<OpenCall | string> {
  const { intent, ref, instance } = stored
  const { estate, kinds, reader } = parts
  const kind = kinds.at(ref.cluster, ref.group, ref.resource)
  if (kind === undefined) return 'its provider is not installed'
  const change = await changeOf(parts, stored)
  if (change?.record.work === undefined) return 'its plan no longer exists'
  const object = await reader.object(ref)
  const isSame = object?.uid === intent.uid && object.generation === change.record.work.generation
  const draft: IntentDraft = {
    change: { target: { ref, instance, part: intent.part }, record: change.record },
    step: intent.step === 'delete-deposed' ? 'delete' : intent.step,
    object: isSame ? object : undefined,
    states: await estate.state(ref, instance),
    ...(intent.depose !== undefined && { depose: intent.depose }),
  }
  const sent = await estate.request(stored)
  return {
    draft,
    kind,
    repeatable: intent.repeatable,
    request: sent === undefined ? approvedRequest(change.record.work) : requestBytes(sent),
    facts: intent.facts,
    isManaged: (id) => managed.has(ref.cluster, kind, id),
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
