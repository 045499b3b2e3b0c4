import { timeFromText } from '@hykube/machinery/amounts'
import { finalPhases } from '@hykube/machinery/plan-api'
import { decodeObject, objectFromKey, objectRange, type StoredObject } from '../resource/index.ts'
import { planStatusOf } from './api/plan-status.ts'
import { planResource } from './api/plan-type.ts'
import type { EngineParts } from './engine-parts.ts'

/** The default time for which finished plans are kept, in milliseconds. */
export const defaultPlanRetention = 30 * 86_400_000

/** Deletes plans that finished longer ago than the retention. The engine then deletes their changes. A plan with an open call is kept until the call is decided. */
export async function expirePlans(parts: EngineParts): Promise<void> {
  const { objects, clock, planRetention = defaultPlanRetention } = parts
  const range = objectRange(planResource)
  const open = await plansWithOpenCalls(parts)
  for await (const entries of objects.pages(range)) {
    for (const { key, value: bytes, tag, revision } of entries)
      await expire(parts, { key, bytes, tag, revision }, open, clock.now() - planRetention)
  }
}

async function expire(
  { objects }: EngineParts,
  before: StoredObject,
  open: ReadonlySet<string>,
  until: number,
): Promise<void> {
  const object = decodeObject(before.bytes)
  const { phase, finishedAt = '' } = planStatusOf(object)
  const { uid = '', finalizers } = object.metadata ?? {}
  const ended = timeFromText(finishedAt)
  if (!finalPhases.has(phase) || ended === undefined || ended > until) return
  if ((finalizers?.length ?? 0) > 0 || open.has(uid)) return
  const place = objectFromKey(before.key)
  await objects.change([
    { resource: planResource, place, before, beforeObject: object, after: undefined, final: object },
  ])
}

async function plansWithOpenCalls({ estate }: EngineParts): Promise<ReadonlySet<string>> {
  const open = new Set<string>()
  for await (const { intent } of estate.intents()) open.add(intent.plan)
  return open
}
