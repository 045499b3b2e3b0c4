import type { KubernetesObject } from '@hykube/machinery/object'
import type { StoredChange } from '../estate/index.ts'
import type { ChangeRecord } from '../plan/index.ts'
import type { ObjectPlace } from '../resource/index.ts'
import { planJsonChange } from './change-page.ts'
import type { EngineParts } from './engine-parts.ts'
import { planStatusOf } from './plan-status.ts'

/** A plan in Terraform's plan JSON, format 1.2, piece by piece, however large it is. Sensitive values are null. */
export async function* planJson(
  { estate }: EngineParts,
  { cluster }: ObjectPlace,
  plan: KubernetesObject,
): AsyncGenerator<Uint8Array> {
  const status = planStatusOf(plan)
  const { blocked = 0, deferred = 0, ...work } = status.summary ?? ({} as Record<string, number>)
  const changes = Object.values(work).reduce((sum, count) => sum + count, 0)
  const head = {
    format_version: '1.2',
    terraform_version: '1.12.0',
    timestamp: status.planned?.at,
    applyable: status.phase === 'Planned' && changes > 0,
    complete: blocked + deferred === 0,
    errored: status.phase === 'Failed',
  }
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"resource_changes":[`)
  let first = true
  const chunk: string[] = []
  for await (const change of estate.changes<ChangeRecord>(cluster, plan.metadata?.uid ?? '')) {
    if (change.record.shown === undefined) continue
    chunk.push(`${first ? '' : ','}${JSON.stringify(resourceChange(change))}`)
    first = false
    if (chunk.length >= atOnce) yield Buffer.from(chunk.splice(0).join(''))
  }
  yield Buffer.from(`${chunk.join('')}]}\n`)
}

const atOnce = 100

function resourceChange({ place, record }: StoredChange<ChangeRecord>): object {
  const { address, data, type, provider, reason, movedFrom } = record
  return {
    address,
    ...(movedFrom !== undefined && { previous_address: movedFrom }),
    mode: data ? 'data' : 'managed',
    type,
    name: place.node.name,
    ...(place.instance !== undefined && { index: place.instance }),
    provider_name: provider,
    ...(place.part.startsWith('deposed/') && { deposed: place.part.slice('deposed/'.length) }),
    change: planJsonChange(record),
    ...(reason !== undefined && { action_reason: reason }),
  }
}
