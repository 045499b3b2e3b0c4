import { ageOf } from '@hykube/machinery/amounts'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { TableColumnDefinition, TableColumns } from '@hykube/machinery/resource-type'
import type { PrinterColumn } from './definition.ts'
import { jsonPathFromText } from './json-path.ts'

/**
 * Returns the table columns of a custom resource: its name, then its additionalPrinterColumns, or its age without any.
 */
export function printerColumns(given: readonly PrinterColumn[] | undefined): TableColumns {
  const columns = given === undefined || given.length === 0 ? [age] : given
  const cells = columns.map(({ jsonPath, type }) => cellOf(jsonPath, type))
  return {
    definitions: [nameColumn, ...columns.map(columnDefinition)],
    cells: (object, now) => [object.metadata?.name ?? '', ...cells.map((cell) => cell(object, now))],
  }
}

const nameColumn: TableColumnDefinition = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among those of its kind in its namespace.',
  priority: 0,
}

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'When the object was created, as the server saw it.',
}

function columnDefinition({
  name,
  type,
  format,
  description,
  priority,
  jsonPath,
}: PrinterColumn): TableColumnDefinition {
  return {
    name,
    type,
    format: format ?? '',
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  }
}

type Cell = (object: KubernetesObject, now: number) => unknown

function cellOf(path: string, type: string): Cell {
  const read = jsonPathFromText(path)
  if (read === undefined) return () => null
  return (object, now) => {
    const [value] = read(object)
    return value === undefined || value === null ? null : typedCell(type, value, now)
  }
}

function typedCell(type: string, value: unknown, now: number): unknown {
  switch (type) {
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      if (typeof value !== 'string') return null
      return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageOf(value, now)
    default:
      return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
