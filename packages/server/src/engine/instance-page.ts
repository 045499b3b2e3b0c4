import { badRequest } from '@hykube/machinery/status'
import type { Estate } from '../estate/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  type NodeKind,
  type NodePlace,
  shownAttributes,
} from '../plan/index.ts'

/** A page of what is known of an object's instances. */
export async function instancePage(
  estate: Estate,
  node: NodePlace,
  kind: NodeKind,
  query: { readonly limit: number; readonly continueAfter: string },
): Promise<object> {
  const after = query.continueAfter === '' ? undefined : keyFromText(query.continueAfter)
  const { instances, more } = await estate.instances(node, after, query.limit)
  const last = instances.at(-1)
  const metadata = more && last !== undefined ? { continue: keyToText(last.instance) } : {}
  return {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'InstanceList',
    metadata,
    items: instances.map((states) => shownInstance(node, kind, states)),
  }
}

function shownInstance(place: NodePlace, kind: NodeKind, { instance, current, observed, deposed }: InstanceStates) {
  const record = current?.record
  return {
    ...(typeof instance === 'number' && { index: instance }),
    ...(typeof instance === 'string' && { key: instance }),
    address: addressOf({ place, kind }, instance),
    ...(record !== undefined && { attributes: shownAttributes(kind.schema, record) }),
    conditions: [
      {
        type: 'Ready',
        status: record?.status === 'ready' ? 'True' : 'False',
        reason: record === undefined ? 'NotApplied' : record.status === 'ready' ? 'Applied' : 'Tainted',
      },
      {
        type: 'Drifted',
        status: observed === undefined ? 'False' : 'True',
        reason: observed === undefined ? 'AsApplied' : 'ChangedOutside',
      },
    ],
    ...(deposed.length > 0 && { deposed: deposed.map(({ key }) => key) }),
  }
}

function keyToText(key: InstanceKey): string {
  return Buffer.from(JSON.stringify([key ?? null])).toString('base64url')
}

function keyFromText(text: string): { readonly key: InstanceKey } {
  try {
    const [key] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [unknown]
    if (key === null || typeof key === 'number' || typeof key === 'string') return { key: key ?? undefined }
  } catch {
    // Falls through: whatever it was, it is no token of ours.
  }
  throw badRequest('continue key is not valid')
}
