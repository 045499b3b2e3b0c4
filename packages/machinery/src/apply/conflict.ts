import { compareUtf8 } from '../base/index.ts'
import { StatusError } from '../status/index.ts'
import { type FieldSet, pathsOf } from './field-set.ts'
import { managerFromIdentifier } from './managed-fields.ts'
import { pathToText } from './path-element.ts'

/** The 409 of an apply that would change fields of other managers, with a cause for each field. */
export function conflictError(sets: ReadonlyMap<string, FieldSet>): StatusError {
  const conflicts = [...sets]
    .sort(([a], [b]) => compareUtf8(a, b))
    .map(([identifier, set]) => ({ manager: managerText(identifier), paths: pathsOf(set).map(pathToText) }))
  const causes = conflicts.flatMap(({ manager, paths }) =>
    paths.map((field) => ({ reason: 'FieldManagerConflict' as const, message: `conflict with ${manager}`, field })),
  )
  return new StatusError('Conflict', messageOf(conflicts), { details: { causes } })
}

interface ManagerConflicts {
  readonly manager: string
  readonly paths: readonly string[]
}

function messageOf(conflicts: readonly ManagerConflicts[]): string {
  const count = conflicts.reduce((sum, { paths }) => sum + paths.length, 0)
  if (count === 1) {
    return `Apply failed with 1 conflict: conflict with ${conflicts[0]!.manager}: ${conflicts[0]!.paths[0]}`
  }
  const lines = conflicts.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ])
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`
}

function managerText(identifier: string): string {
  const { manager, operation, apiVersion, subresource } = managerFromIdentifier(identifier)
  const name = JSON.stringify(manager) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`)
  return operation === 'Update' ? `${name} using ${apiVersion}` : name
}
