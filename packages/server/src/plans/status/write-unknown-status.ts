import type { KubernetesObject } from '@hykube/machinery/object'
import { recordToBytes, type StoredIntent, withStatus } from '../../estate/index.ts'
import { decodeObject } from '../../resource/index.ts'
import type { EngineParts } from '../engine-parts.ts'

/** Records in the intent and in the object's status that the outcome of a call is unknown. A user can then resolve it. */
export async function writeUnknownStatus(
  { objects, estate, clock }: EngineParts,
  stored: StoredIntent,
  message: string,
  waits = false,
): Promise<void> {
  const { ref } = stored
  for (;;) {
    const open = await estate.intent(stored)
    if (open === undefined) return
    const { key, revision } = open
    const { waits: _, ...intent } = open.intent
    const value = recordToBytes({ ...intent, unknown: message, ...(waits && { waits }) })
    const put = { kind: 'put', key, value, expect: revision } as const
    const before = await objects.get(ref, ref)
    const object = before === undefined ? undefined : decodeObject(before.bytes)
    const changes =
      before === undefined || object?.metadata?.uid !== intent.uid
        ? []
        : [
            {
              resource: ref,
              place: ref,
              before,
              beforeObject: object,
              after: unknownStatus(object, `${intent.address}: ${message}`, clock.now()),
              tag: before.tag,
            },
          ]
    if ((await objects.change(changes, { operations: [put] })).kind === 'committed') return
  }
}

/** Returns an object with the conditions of an unknown outcome. */
export function unknownStatus(object: KubernetesObject, message: string, now: number): KubernetesObject {
  const facts = { reason: 'OutcomeUnknown', message } as const
  return withStatus(
    object,
    {
      conditions: [
        { type: 'Ready', status: 'Unknown', ...facts },
        { type: 'Stalled', status: 'True', ...facts },
      ],
    },
    now,
  )
}
