import { ageOf } from '@hykube/machinery/amounts'
import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import type { TableColumns } from '@hykube/machinery/resource-type'

/** A column, and the function that computes its cell. */
export interface ObjectColumn {
  readonly name: string
  readonly description: string
  readonly cell: (object: KubernetesObject) => string
}

/** The columns of a kind: Name, the given ones, Age. */
export function objectColumns(columns: readonly ObjectColumn[]): TableColumns {
  const all = [
    { name: 'Name', description: 'The name of the object.' },
    ...columns,
    { name: 'Age', description: 'When the object was created.' },
  ]
  return {
    definitions: all.map(({ name, description }) => ({
      name,
      type: 'string',
      format: name === 'Name' ? 'name' : '',
      description,
      priority: 0,
    })),
    cells: (object, now) => [
      object.metadata?.name ?? '',
      ...columns.map(({ cell }) => cell(object)),
      ageOf(object.metadata?.creationTimestamp, now),
    ],
  }
}

/** A cell with the status of a condition. */
export function conditionCell(type: string): (object: KubernetesObject) => string {
  return ({ status }) => {
    const { conditions } = (status ?? {}) as { readonly conditions?: readonly Condition[] }
    return findCondition(conditions, type)?.status ?? 'Unknown'
  }
}
