import type { KubernetesObject } from '@hykube/machinery/object'
import type { ResourceType, TableColumns } from '@hykube/machinery/resource-type'
import { badRequest } from '@hykube/machinery/status'
import { partialMetadata } from './partial-metadata.ts'

/** What of an object each row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  readonly version: string
  readonly include: IncludeObject
  readonly now: number
  /** Leaves the column definitions out: in a watch they come with the first event alone. */
  readonly withoutHeader?: boolean
}

/** Objects as kubectl shows them. */
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

/** Reads `includeObject`; the metadata is given by default. */
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
