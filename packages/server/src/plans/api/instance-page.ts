import { badRequest } from '@hykube/machinery/status'
import type { Estate } from '../../estate/index.ts'
import { shownAttributes } from '../../evaluation/index.ts'
import {
  addressOf,
  type InstanceKey,
  type InstanceStates,
  isDrifted,
  type ResourceKind,
  type ResourceRef,
} from '../../model/index.ts'

/** Returns a page of an object's instances for the API. */
export async function instancePage(
  estate: Estate,
  ref: ResourceRef,
  kind: ResourceKind,
  query: { readonly limit: number; readonly continueAfter: string },
): Promise<object> {
  const after = query.continueAfter === '' ? undefined : keyFromText(query.continueAfter)
  const { instances, more } = await estate.instances(ref, after, query.limit)
  const last = instances.at(-1)
  const metadata = more && last !== undefined ? { continue: keyToText(last.instance) } : {}
  return {
    apiVersion: 'hykube.io/v1alpha1',
    kind: 'InstanceList',
    metadata,
    items: instances.map((states) => shownInstance(ref, kind, states)),
  }
}

function shownInstance(ref: ResourceRef, kind: ResourceKind, states: InstanceStates) {
  const { instance, current, deposed } = states
  const record = current?.record
  const drifted = isDrifted(states)
  return {
    ...(typeof instance === 'number' && { index: instance }),
    ...(typeof instance === 'string' && { key: instance }),
    address: addressOf({ ref, kind }, instance),
    ...(record !== undefined && { attributes: shownAttributes(kind.schema, record) }),
    conditions: [
      {
        type: 'Ready',
        status: record?.status === 'ready' ? 'True' : 'False',
        reason: record === undefined ? 'NotApplied' : record.status === 'ready' ? 'Applied' : 'Tainted',
      },
      {
        type: 'Drifted',
        status: drifted ? 'True' : 'False',
        reason: drifted ? 'ChangedOutside' : 'AsApplied',
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
    // Not a token of this server; rejected below.
  }
  throw badRequest('the continue token is not valid')
}
