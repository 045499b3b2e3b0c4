import type { TableColumns } from '@hykube/machinery/resource-type'
import { accessColumns } from './access-columns.ts'
import { age, type Column, tableColumns } from './column.ts'
import { coreColumns, eventColumns } from './core-columns.ts'
import { networkColumns } from './network-columns.ts'
import { podColumns } from './pod-columns.ts'
import { workloadColumns } from './workload-columns.ts'

/** Returns the columns of `kubectl get` for a built-in kind; name and age where Kubernetes defines no others. */
export function builtInColumns(group: string, kind: string): TableColumns {
  if (kind === 'Event') return withoutName(tableColumns(eventColumns(group === '')))
  return tableColumns(byKind[kind] ?? [age])
}

const byKind: Readonly<Record<string, readonly Column[]>> = {
  ...accessColumns,
  ...coreColumns,
  ...networkColumns,
  ...podColumns,
  ...workloadColumns,
}

// Events are identified by time and reason, so kubectl shows their name last and only with `-o wide`.
function withoutName(columns: TableColumns): TableColumns {
  const last = columns.definitions.length - 1
  return {
    definitions: columns.definitions
      .slice(1)
      .map((definition, index) => (index === last - 1 ? { ...definition, format: 'name' } : definition)),
    cells: (object, now) => columns.cells(object, now).slice(1),
  }
}
