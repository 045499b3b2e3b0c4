import { ageOf, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { TableColumnDefinition, TableColumns } from '@hykube/machinery/resource-type'
import { conditionsOf } from './conditions.ts'

/** How `kubectl get` shows resources: are they there, which ones, and if not, why. */
export const kindColumns: TableColumns = {
  definitions: [
    column('Name', 'The name of the object.', { format: 'name' }),
    column('Ready', 'Whether it is there as it was applied; of several instances, how many are.'),
    column('Id', 'What the provider calls it.'),
    column('Applied', 'Whether what is wanted now was applied.'),
    column('Reason', 'Why it is or is not ready; Terminating once it is marked for deletion.'),
    column('Age', 'When the object was created.'),
    column('Provider', 'The configuration of the provider that is used, when it is not the default.', { priority: 1 }),
    column('Drifted', 'Whether the real resource differs from what was applied.', { priority: 1 }),
  ],
  cells: (object, now) => [
    object.metadata?.name ?? '',
    readyCell(object),
    idCell(object),
    statusOf(object, 'Applied'),
    reasonCell(object),
    ageOf(object.metadata?.creationTimestamp, now),
    providerCell(object),
    statusOf(object, 'Drifted'),
  ],
}

function column(
  name: string,
  description: string,
  { format = '', priority = 0 }: { readonly format?: string; readonly priority?: number } = {},
): TableColumnDefinition {
  return { name, type: 'string', format, description, priority }
}

function statusOf(object: KubernetesObject, type: string): string {
  return findCondition(conditionsOf(object), type)?.status ?? 'Unknown'
}

interface Parts {
  readonly spec?: { readonly count?: unknown; readonly provider?: unknown }
  readonly status?: {
    readonly attributes?: { readonly id?: unknown }
    readonly instances?: { readonly total?: unknown; readonly ready?: unknown }
  }
}

function readyCell(object: KubernetesObject): string {
  const { spec, status } = object as Parts
  if (typeof status?.instances?.total === 'number') return `${status.instances.ready ?? 0}/${status.instances.total}`
  return typeof spec?.count === 'number' ? `0/${spec.count}` : statusOf(object, 'Ready')
}

// The object stays until a plan that deletes it is applied.
function reasonCell(object: KubernetesObject): string {
  if (object.metadata?.deletionTimestamp != null) return 'Terminating'
  return findCondition(conditionsOf(object), 'Ready')?.reason ?? ''
}

function idCell(object: KubernetesObject): string {
  const id = (object as Parts).status?.attributes?.id
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}

function providerCell(object: KubernetesObject): string {
  const provider = (object as Parts).spec?.provider
  return typeof provider === 'string' ? provider : ''
}
