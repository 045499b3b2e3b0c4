import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanStatus } from '@hykube/machinery/plan-api'
import type { StoredChange } from '../../estate/index.ts'
import type { ChangeRecord } from '../../model/index.ts'
import type { ObjectLocation } from '../../resource/index.ts'
import { planStatusOf } from '../api/plan-status.ts'
import type { EngineParts } from '../engine-parts.ts'
import { configurationOf } from './configuration.ts'
import { listPieces } from './pieces.ts'
import { ProviderNames } from './provider-names.ts'
import { resourceChange } from './resource-change.ts'
import { type EntryFacts, plannedResource, priorResource } from './resource-values.ts'

/**
 * Streams a plan in Terraform's plan JSON, format 1.2. Sensitive values are null. Values and configuration cover only the resources that the
 * plan changes, so that the size follows the plan.
 */
export async function* planJson(
  parts: EngineParts,
  { cluster }: ObjectLocation,
  plan: KubernetesObject,
): AsyncGenerator<Uint8Array> {
  const names = new ProviderNames(parts.objects, cluster)
  const changes = () => parts.estate.changes<ChangeRecord>(cluster, plan.metadata?.uid ?? '')
  const entries = (entryOf: EntryOf) => listPieces(entriesOf(changes(), names, parts, entryOf))
  yield text(`{"format_version":"1.2","terraform_version":"${terraformVersion}","planned_values":{"root_module":`)
  yield* resources(entries(plannedResource))
  yield text('},"resource_drift":')
  yield* entries((change, facts) => (isDrift(change) ? resourceChange(change, facts) : undefined))
  yield text(',"resource_changes":')
  yield* entries((change, facts) => (isDrift(change) ? undefined : resourceChange(change, facts)))
  yield text(
    `,"prior_state":{"format_version":"1.0","terraform_version":"${terraformVersion}","values":{"root_module":`,
  )
  yield* resources(entries(priorResource))
  yield text('}},"configuration":{"root_module":')
  yield* resources(listPieces(configurationOf(changes(), parts.reader)))
  yield text(`,"provider_config":${JSON.stringify(await names.configurations())}},`)
  yield text(`${JSON.stringify(outcomeOf(planStatusOf(plan))).slice(1)}\n`)
}

/** The Terraform version whose format this is. */
const terraformVersion = '1.12.0'

type EntryOf = (change: StoredChange<ChangeRecord>, facts: EntryFacts) => object | undefined

async function* entriesOf(
  changes: AsyncIterable<StoredChange<ChangeRecord>>,
  names: ProviderNames,
  { kinds }: EngineParts,
  entryOf: EntryOf,
): AsyncGenerator<object> {
  for await (const change of changes) {
    const { target, record } = change
    if (record.shown === undefined) continue
    const { cluster, group, resource } = target.ref
    const schemaVersion = kinds.at(cluster, group, resource)?.schema.version ?? 0
    const entry = entryOf(change, { provider: await names.of(record.provider), schemaVersion })
    if (entry !== undefined) yield entry
  }
}

// In Terraform's format the change of a refresh-only plan is drift.
function isDrift({ record }: StoredChange<ChangeRecord>): boolean {
  return record.work?.accepts === true
}

async function* resources(list: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield text('{"resources":')
  yield* list
  yield text('}')
}

function outcomeOf({ phase, summary, planned }: PlanStatus): object {
  const { blocked = 0, deferred = 0, noop: _, ...work } = (summary ?? {}) as Record<string, number>
  const changes = Object.values(work).reduce((sum, count) => sum + count, 0)
  return {
    timestamp: planned?.at,
    applyable: phase === 'Planned' && changes > 0,
    complete: blocked + deferred === 0,
    errored: phase === 'Failed',
  }
}

function text(piece: string): Uint8Array {
  return Buffer.from(piece)
}
