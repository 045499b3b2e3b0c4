import type { KubernetesObject } from '@hykube/machinery/object'
import { recordToBytes, type StoredIntent } from '../estate/index.ts'
import { decodeObject } from '../resource/index.ts'
import type { EngineParts } from './engine-parts.ts'
import { withStatus } from './object-status.ts'

/** Says on the object, and with the intent, that nobody knows what came of a call: from now on a person may decide. */
export async function tellUnknown(
  { objects, estate, clock }: EngineParts,
  stored: StoredIntent,
  message: string,
  waits = false,
): Promise<void> {
  const { node } = stored
  for (;;) {
    const open = await estate.intent(stored)
    if (open === undefined) return
    const { key, revision } = open
    const { waits: _, ...intent } = open.intent
    const value = recordToBytes({ ...intent, unknown: message, ...(waits && { waits }) })
    const put = { kind: 'put', key, value, expect: revision } as const
    const before = await objects.get(node, node)
    const object = before === undefined ? undefined : decodeObject(before.bytes)
    const changes =
      before === undefined || object?.metadata?.uid !== intent.uid
        ? []
        : [
            {
              resource: node,
              place: node,
              before,
              beforeObject: object,
              after: unknownStatus(object, `${intent.address}: ${message}`, clock.now()),
              tag: before.tag,
            },
          ]
    if ((await objects.change(changes, { operations: [put] })).kind === 'committed') return
  }
}

/** An object of which nobody knows how it is. */
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
