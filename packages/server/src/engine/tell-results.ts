import type { ChangeRecord } from '../plan/index.ts'
import { decodeObject } from '../resource/index.ts'
import type { ApplyTally, NodeTally } from './apply-tally.ts'
import type { EngineParts } from './engine-parts.ts'
import { type EventFacts, type EventSubject, recordEvents } from './events.ts'
import type { PlanInHand } from './ledger.ts'

/**
 * Tells what a plan did to its objects, each in one Event, however many instances it has. Of a plan with more objects than people read
 * about, the plan's own Event tells.
 */
export async function tellResults(
  parts: EngineParts,
  plan: PlanInHand,
  tally: ApplyTally,
  changeAt: (index: number) => Promise<ChangeRecord | undefined>,
): Promise<void> {
  const told: NodeTally[] = []
  for (const node of tally.nodes()) {
    if (Object.keys(node.applied).length === 0) continue
    if (told.length === mostTold) return
    told.push(node)
  }
  const events: [EventSubject, EventFacts][] = []
  const isStaying = new Map<string, boolean>()
  for (const node of told) {
    const { cluster, namespace } = node.place
    if (!isStaying.has(namespace)) isStaying.set(namespace, await staysThere(parts, cluster, namespace))
    const record = isStaying.get(namespace) ? await changeAt(node.first) : undefined
    if (record !== undefined) events.push([subjectOf(node, record), factsOf(node, record, plan)])
  }
  if (events.length > 0) await recordEvents(parts.objects, parts.clock, events)
}

/** The most objects of a plan that are told of, one by one. */
export const mostTold = 500

// Nothing is put into a namespace that goes.
async function staysThere({ objects }: EngineParts, cluster: string, name: string): Promise<boolean> {
  const stored = await objects.get({ group: '', resource: 'namespaces' }, { cluster, namespace: '', name })
  return stored !== undefined && decodeObject(stored.bytes).metadata?.deletionTimestamp == null
}

function subjectOf({ place }: NodeTally, { work, kind }: ChangeRecord): EventSubject {
  return { ...place, uid: work?.uid ?? '', apiVersion: `${place.group}/v1`, kind }
}

function factsOf({ applied, isBatch }: NodeTally, { address }: ChangeRecord, { name }: PlanInHand): EventFacts {
  const done = Object.entries(applied) as [ChangeRecord['action'], number][]
  const [only] = done
  const reason = done.length === 1 && only !== undefined ? capital(words[only[0]] ?? 'applied') : 'Applied'
  const counts = done.map(([action, count]) => `${isBatch ? `${count} ` : ''}${words[action] ?? action}`)
  const whose = isBatch ? address.replace(/\[[^\]]*\]$/, '') : address
  return { type: 'Normal', reason, message: `${whose}: ${counts.join(', ')} (plan ${name})` }
}

const words: Partial<Record<ChangeRecord['action'], string>> = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'destroyed',
  read: 'read',
  forget: 'forgotten',
  import: 'imported',
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
