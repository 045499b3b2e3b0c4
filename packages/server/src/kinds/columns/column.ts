import { ageOf } from '@hykube/machinery/amounts'
import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import type { TableColumns } from '@hykube/machinery/resource-type'
import { inside, items } from '../draft.ts'

/** A table column: header and cell contents. */
export interface Column {
  readonly name: string
  readonly cell: (object: JsonObject, now: number) => JsonValue
  /** Default `string`. */
  readonly type?: 'string' | 'integer'
  /** Shown by `-o wide` only. */
  readonly wide?: boolean
}

/** Builds a table's columns; the name column is always first. */
export function tableColumns(columns: readonly Column[]): TableColumns {
  const all = [nameColumn, ...columns]
  return {
    definitions: all.map((column, index) => ({
      name: column.name,
      type: column.type ?? 'string',
      format: index === 0 ? 'name' : '',
      description: '',
      priority: column.wide === true ? 1 : 0,
    })),
    cells: (object: KubernetesObject, now) => all.map((column) => column.cell(object as JsonObject, now)),
  }
}

/** A column with the value at a path, or `absent` when there is none. */
export function field(name: string, path: string, absent: JsonValue = '', wide = false): Column {
  return { name, wide, cell: (object) => valueAt(object, path) ?? absent }
}

/** An integer column. */
export function count(name: string, path: string): Column {
  return { name, type: 'integer', cell: (object) => valueAt(object, path) ?? 0 }
}

/** A column with computed text. */
export function text(name: string, cell: (object: JsonObject) => JsonValue, wide = false): Column {
  return { name, cell, wide }
}

/** Age of the object. */
export const age: Column = {
  name: 'Age',
  cell: (object, now) => ageOf(valueAt(object, 'metadata.creationTimestamp'), now),
}

/** Time since a timestamp in the object. */
export function since(name: string, path: string, absent?: string): Column {
  return {
    name,
    cell: (object, now) => {
      const time = valueAt(object, path)
      return absent !== undefined && (time === undefined || time === null) ? absent : ageOf(time, now)
    },
  }
}

/** Returns the value at a dotted path; null counts as absent. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  const parts = path.split('.')
  return inside(object, ...parts.slice(0, -1))[parts.at(-1)!] ?? undefined
}

/** Joins texts into one cell; `<none>` for an empty list. */
export function joined(list: readonly unknown[], separator = ','): string {
  return list.length === 0 ? '<none>' : list.join(separator)
}

/** Formats a label selector as kubectl does; `<none>` when it is empty. */
export function selectorText(selector: JsonObject): string {
  const labels =
    'matchLabels' in selector || 'matchExpressions' in selector ? inside(selector, 'matchLabels') : selector
  const equal = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`)
  const expressions = items(selector, 'matchExpressions').map(expressionText)
  return joined([...equal, ...expressions])
}

function expressionText(expression: JsonObject): string {
  const { key, operator } = expression
  const values = Array.isArray(expression.values) ? [...expression.values].sort().join(',') : ''
  if (operator === 'Exists') return String(key)
  if (operator === 'DoesNotExist') return `!${String(key)}`
  return `${String(key)} ${operator === 'In' ? 'in' : 'notin'} (${values})`
}

const nameColumn: Column = { name: 'Name', cell: (object) => valueAt(object, 'metadata.name') ?? '' }
