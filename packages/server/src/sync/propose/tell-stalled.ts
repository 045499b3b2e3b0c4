import { withStatus } from '../../estate/index.ts'
import { refFromText } from '../../model/index.ts'
import { type EngineParts, recordEvents } from '../../plans/index.ts'
import type { Setback } from './failures.ts'

/** Sets the condition Stalled on an object that Reconcile no longer tries, once, with an Event. */
export async function tellStalled(
  { objects, clock }: EngineParts,
  cluster: string,
  refText: string,
  { reason, message: text }: Setback,
): Promise<void> {
  const ref = refFromText(cluster, refText)
  const message = `${text}; write the spec again to retry`
  const changed = await objects.update(ref, ref, (object) => {
    const { conditions = [] } = (object.status ?? {}) as { conditions?: { type: string; status: string }[] }
    if (conditions.some(({ type, status }) => type === 'Stalled' && status === 'True')) return undefined
    return withStatus(object, { conditions: [{ type: 'Stalled', status: 'True', reason, message }] }, clock.now())
  })
  if (changed === undefined) return
  const { apiVersion = '', kind = '', metadata } = changed
  const { namespace, name } = ref
  const subject = { cluster, namespace, name, uid: metadata?.uid ?? '', apiVersion, kind }
  await recordEvents(objects, clock, [[subject, { type: 'Warning', reason, message }]])
}
