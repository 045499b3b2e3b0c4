import { hostname } from 'node:os'
import { type ApplyPorts, type IntentDraft, type OpenCall, recoverCall, type StepOutcome } from '../apply/index.ts'
import { changeKey, type Intent, type StoredIntent } from '../estate/index.ts'
import type { ChangeRecord } from '../plan/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { tellConditions } from './tell-conditions.ts'

/**
 * Finds out what came of a call that was begun: by a server that died, or by a provider whose answer was lost. Where that is
 * known, it is told why the answer was lost.
 */
export async function recoverIntent(
  parts: EngineParts,
  ports: ApplyPorts,
  stored: StoredIntent,
  why?: string,
): Promise<StepOutcome> {
  const { intent, node } = stored
  await endOldProcess(parts, intent)
  const open = await openCall(parts, stored)
  const found = typeof open === 'string' ? { kind: 'unknown' as const, message: open } : await attempt(ports, open)
  const outcome =
    found.kind === 'unknown' && why !== undefined ? { ...found, message: `${why}; ${found.message}` } : found
  if (outcome.kind === 'unknown') {
    await tellUnknown(parts, stored, outcome.message)
    const key = changeKey({ cluster: node.cluster, plan: intent.plan, ...stored, part: intent.part })
    const change = await parts.estate.change<ChangeRecord>(key)
    if (change !== undefined)
      await ports.ledger.note(
        { place: change.place, record: change.record },
        { result: 'unknown', message: outcome.message, at: ports.now() },
      )
  }
  return outcome
}

async function attempt(ports: ApplyPorts, open: OpenCall): Promise<StepOutcome> {
  try {
    return await recoverCall(ports, open)
  } catch (error) {
    return { kind: 'unknown', message: ports.describe(error) }
  }
}

// Nobody else decides while it may still be at work. On another machine it died with its server, or its deadline is over.
async function endOldProcess({ endProcess }: EngineParts, { process }: Intent): Promise<void> {
  if (process !== undefined && process.host === hostname()) await endProcess(process)
}

async function openCall(parts: EngineParts, stored: StoredIntent): Promise<OpenCall | string> {
  const { intent, node: place, instance } = stored
  const { estate, kinds, reader } = parts
  const kind = kinds.at(place.cluster, place.group, place.resource)
  if (kind === undefined) return 'its provider is not installed'
  const key = changeKey({ cluster: place.cluster, plan: intent.plan, node: place, instance, part: intent.part })
  const change = await estate.change<ChangeRecord>(key)
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
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const { prior, planned, plannedPrivate } = intent.request
  return {
    draft,
    kind,
    repeatable: intent.repeatable,
    prior: bytes(prior),
    planned: bytes(planned),
    plannedPrivate: bytes(plannedPrivate),
    facts: intent.facts,
  }
}

function tellUnknown(parts: EngineParts, { node, intent }: StoredIntent, message: string): Promise<void> {
  const unknown = { reason: 'OutcomeUnknown', message }
  return tellConditions(parts, node, intent.uid, [
    { type: 'Ready', status: 'Unknown', ...unknown },
    { type: 'Stalled', status: 'True', ...unknown },
  ])
}
