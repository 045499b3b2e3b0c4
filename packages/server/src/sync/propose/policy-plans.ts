import { createHash } from 'node:crypto'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import { finalPhases } from '@hykube/machinery/plan-api'
import {
  digestAnnotation,
  type EngineParts,
  planResource,
  planStatusOf,
  policyUidAnnotation,
} from '../../plans/index.ts'
import {
  decodeObject,
  type ObjectLocation,
  objectFromKey,
  objectRange,
  type StoredObject,
} from '../../resource/index.ts'
import type { Policy } from '../policy/policy-book.ts'

/** The label of a policy's Plans: its name. */
export const policyLabel = 'hykube.io/sync-policy'

/** A Plan that was made for a policy. */
export interface PolicyPlan {
  readonly location: ObjectLocation
  readonly stored: StoredObject
  readonly object: KubernetesObject
  readonly uid: string
  readonly number: number
  readonly status: PlanStatus
  readonly digest: string | undefined
}

/** The Plans of a policy in a namespace, the newest first. */
export async function plansOf({ objects }: EngineParts, policy: Policy, namespace: string): Promise<PolicyPlan[]> {
  const found: PolicyPlan[] = []
  const range = objectRange(planResource, policy.location.cluster, namespace)
  for await (const entries of objects.pages(range)) {
    for (const { key, value: bytes, tag, revision } of entries) {
      const object = decodeObject(bytes)
      const { annotations, uid = '', name = '' } = object.metadata ?? {}
      if (annotations?.[policyUidAnnotation] !== policy.object.metadata?.uid) continue
      const { cluster } = objectFromKey(key)
      found.push({
        location: { cluster, namespace, name },
        stored: { key, bytes, tag, revision },
        object,
        uid,
        number: Number(/-(\d+)$/.exec(name)?.[1] ?? 0),
        status: planStatusOf(object),
        digest: annotations?.[digestAnnotation] ?? undefined,
      })
    }
  }
  return found.sort((a, b) => b.number - a.number)
}

/** The name and uid of a policy's next Plan. The same again after a crash, so that what was stored under it is found. */
export function nextPlan(policy: Policy, namespace: string, plans: readonly PolicyPlan[]) {
  const number = (plans[0]?.number ?? 0) + 1
  const { cluster, name } = policy.location
  const hash = createHash('sha256').update(`${policy.object.metadata?.uid} ${namespace} ${number}`).digest('hex')
  const uid = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
  return { cluster, namespace, name: `sync-${name.slice(0, 230)}-${number}`, uid }
}

/** Deletes the oldest finished Plans of a policy beyond those that are kept. */
export async function deleteOldPlans({ objects }: EngineParts, plans: readonly PolicyPlan[]): Promise<void> {
  for (const { location, stored, object, status } of plans.slice(mostKept))
    if (finalPhases.has(status.phase))
      await objects.change([
        {
          resource: planResource,
          place: location,
          before: stored,
          beforeObject: object,
          after: undefined,
          final: object,
        },
      ])
}

const mostKept = 20
