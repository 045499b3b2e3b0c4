import { timeFromText } from '@hykube/machinery/object'
import { decodeObject, objectFromKey, objectRange, type StoredObject } from '../resource/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { finalPhases, planStatusOf } from './plan-status.ts'
import { planPlace } from './plan-type.ts'

/** How long finished plans are kept unless somebody says otherwise, in milliseconds. */
export const defaultPlanRetention = 30 * 86_400_000

/** Takes away plans that ended long ago. What they changed goes with them; one of which a call is open stays until that is decided. */
export async function expirePlans(parts: EngineParts): Promise<void> {
  const { objects, clock, planRetention = defaultPlanRetention } = parts
  const range = objectRange(planPlace)
  const open = await plansWithOpenCalls(parts)
  let page = await objects.scan(range)
  for (;;) {
    for (const { key, value: bytes, tag, revision } of page.entries)
      await expire(parts, { key, bytes, tag, revision }, open, clock.now() - planRetention)
    if (page.last === undefined) return
    page = await objects.scan(range, { revision: page.revision, after: page.last })
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
  await objects.change([{ resource: planPlace, place, before, beforeObject: object, after: undefined, final: object }])
}

async function plansWithOpenCalls({ estate }: EngineParts): Promise<ReadonlySet<string>> {
  const open = new Set<string>()
  for await (const { intent } of estate.intents()) open.add(intent.plan)
  return open
}
