import { type JsonValue, jsonEquals } from '@hykube/machinery/json'
import { type Client, failedWith } from '@hykube/runtime/client'
import type { ReconcileResult } from '@hykube/runtime/controller'
import { coreResource } from '../context.ts'
import type { QuotaPorts, QuotaStatus } from './ports.ts'

/**
 * Recalculates all quotas of a namespace. A quota is read before its usage is counted and written with its
 * resourceVersion. Every admitted object updates the quota in its own commit, so an outdated count is never written.
 */
export async function recountQuotas(
  client: Client,
  { calculate }: QuotaPorts,
  cluster: string,
  namespace: string,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  let moved = false
  for await (const { items } of client.pages({ ...coreResource('resourcequotas'), namespace }, { signal })) {
    for (const quota of items) {
      const status = await calculate(cluster, namespace, quota)
      if (isSame(quota.status, status)) continue
      const { name = '', resourceVersion = '' } = quota.metadata ?? {}
      const at = { ...coreResource('resourcequotas'), namespace, name, subresource: 'status' }
      const body = { ...quota, status, metadata: { ...quota.metadata, resourceVersion } }
      try {
        await client.update(at, body, { fieldManager: 'resourcequota-controller', signal })
      } catch (error) {
        if (!failedWith(error, 'Conflict', 'NotFound')) throw error
        moved = true
      }
    }
  }
  return moved ? { kind: 'again' } : undefined
}

function isSame(status: unknown, { hard, used }: QuotaStatus): boolean {
  const before = (status ?? {}) as Partial<QuotaStatus>
  return (
    jsonEquals((before.hard ?? {}) as JsonValue, hard as JsonValue) &&
    jsonEquals((before.used ?? {}) as JsonValue, used as JsonValue)
  )
}
