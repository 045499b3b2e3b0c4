import { ageOf } from '@hykube/machinery/amounts'
import { findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { TableColumnDefinition, TableColumns } from '@hykube/machinery/resource-type'
import { conditionsOf } from './conditions.ts'

/** The columns of `kubectl get` for provider kinds. */
export const kindColumns: TableColumns = {
  definitions: [
    column('Name', 'The name of the object.', { format: 'name' }),
    column('Ready', 'Status of the condition Ready; with count or for_each, the number of ready instances.'),
    column('Id', 'The id attribute of the resource.'),
    column('Applied', 'Status of the condition Applied: the current spec was applied.'),
    column('Reason', 'Reason of the condition Ready; Terminating once the object is marked for deletion.'),
    column('Age', 'When the object was created.'),
    column('Provider', 'The ProviderConfig of the object, if it is not the default.', { priority: 1 }),
    column('Drifted', 'Status of the condition Drifted: the real resource differs from the applied one.', {
      priority: 1,
    }),
  ],
  cells: (object, now) => [
    object.metadata?.name ?? '',
    readyCell(object),
    idCell(object),
    conditionStatus(object, 'Applied'),
    reasonCell(object),
    ageOf(object.metadata?.creationTimestamp, now),
    providerCell(object),
    conditionStatus(object, 'Drifted'),
  ],
}

function column(
  name: string,
  description: string,
  { format = '', priority = 0 }: { readonly format?: string; readonly priority?: number } = {},
): TableColumnDefinition {
  return { name, type: 'string', format, description, priority }
}

/** The status of a condition of an object of a provider's kind. */
export function conditionStatus(object: KubernetesObject, type: string): string {
  return findCondition(conditionsOf(object), type)?.status ?? 'Unknown'
}

interface Parts {
  readonly spec?: { readonly count?: unknown; readonly provider?: unknown }
  readonly status?: {
    readonly attributes?: { readonly id?: unknown }
    readonly instances?: { readonly total?: unknown; readonly ready?: unknown }
  }
}

/** `Ready`, or how many instances are. */
export function readyCell(object: KubernetesObject): string {
  const { spec, status } = object as Parts
  if (typeof status?.instances?.total === 'number') return `${status.instances.ready ?? 0}/${status.instances.total}`
  return typeof spec?.count === 'number' ? `0/${spec.count}` : conditionStatus(object, 'Ready')
}

/** The reason of `Ready`. A deleted object remains until a plan that destroys its resource is applied. */
export function reasonCell(object: KubernetesObject): string {
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
