import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType, TableColumns } from '@hykube/machinery/resource-type'
import { badRequest } from '@hykube/machinery/status'
import { partialMetadata } from './partial-metadata.ts'

/** Part of the object that each row includes. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  readonly version: string
  readonly include: IncludeObject
  readonly now: number
  /** Omits the column definitions: a watch sends them only with its first event. */
  readonly withoutHeader?: boolean
}

/** Builds the Table that kubectl prints. */
export function tableOf(
  type: ResourceType,
  objects: readonly KubernetesObject[],
  metadata: object,
  options: TableOptions,
) {
  const columns = type.columns()
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata,
    columnDefinitions: options.withoutHeader ? [] : columns.definitions,
    rows: objects.map((object) => rowOf(columns, object, options)),
  }
}

/** Parses `includeObject`; the default is Metadata. */
export function includeObjectFrom(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? ''
  if (value === '') return 'Metadata'
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value
  throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}`)
}

function rowOf(columns: TableColumns, object: KubernetesObject, { include, now, version }: TableOptions) {
  const cells = columns.cells(object, now)
  if (include === 'None') return { cells }
  return { cells, object: include === 'Object' ? object : partialMetadata(object, version) }
}
