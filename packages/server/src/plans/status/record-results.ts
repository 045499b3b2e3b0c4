import type { RunningPlan } from '../../estate/index.ts'
import type { ChangeRecord } from '../../model/index.ts'
import { decodeObject } from '../../resource/index.ts'
import type { ApplyTally, ObjectTally } from '../applying/apply-tally.ts'
import type { EngineParts } from '../engine-parts.ts'
import { type EventFacts, type EventSubject, recordEvents } from './events.ts'

/**
 * Writes one Event for each object that a plan changed, whatever the number of its instances. A plan with too many objects has only its own
 * Event.
 */
export async function recordResults(
  parts: EngineParts,
  plan: RunningPlan,
  tally: ApplyTally,
  changeAt: (index: number) => Promise<ChangeRecord | undefined>,
): Promise<void> {
  const changed: ObjectTally[] = []
  for (const object of tally.objects()) {
    if (Object.keys(object.applied).length === 0) continue
    if (changed.length === mostEvents) return
    changed.push(object)
  }
  const events: [EventSubject, EventFacts][] = []
  const isActive = new Map<string, boolean>()
  for (const object of changed) {
    const { cluster, namespace } = object.ref
    if (!isActive.has(namespace)) isActive.set(namespace, await isActiveNamespace(parts, cluster, namespace))
    const record = isActive.get(namespace) ? await changeAt(object.first) : undefined
    if (record !== undefined) events.push([subjectOf(object, record), factsOf(object, record, plan)])
  }
  if (events.length > 0) await recordEvents(parts.objects, parts.clock, events)
}

/** The number of changed objects up to which each gets an Event. */
export const mostEvents = 500

// No Events can be created in a namespace that is being deleted.
async function isActiveNamespace({ objects }: EngineParts, cluster: string, name: string): Promise<boolean> {
  const stored = await objects.get({ group: '', resource: 'namespaces' }, { cluster, namespace: '', name })
  return stored !== undefined && decodeObject(stored.bytes).metadata?.deletionTimestamp == null
}

function subjectOf({ ref }: ObjectTally, { work, kind }: ChangeRecord): EventSubject {
  return { ...ref, uid: work?.uid ?? '', apiVersion: `${ref.group}/v1`, kind }
}

function factsOf({ applied, isBatch }: ObjectTally, { address }: ChangeRecord, { name }: RunningPlan): EventFacts {
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
