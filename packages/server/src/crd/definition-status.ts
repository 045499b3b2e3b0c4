import { type Condition, findCondition, withCondition } from '@hykube/machinery/object'
import { decideNames } from './accepted-names.ts'
import { apiApprovalOf } from './api-approval.ts'
import type { Definition, DefinitionStatus } from './definition.ts'

/** Computes the status of a definition next to the other definitions of its cluster. */
export function statusOf(definition: Definition, others: readonly Definition[], now: string): DefinitionStatus {
  const { names, conflict } = decideNames(definition, others)
  let conditions: readonly Condition[] = definition.status?.conditions ?? []
  const set = (condition: Omit<Condition, 'lastTransitionTime'>): void => {
    conditions = withCondition(conditions, { ...condition, lastTransitionTime: now })
  }
  set(
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict },
  )
  if (findCondition(conditions, 'Established')?.status !== 'True') set(established(conflict === undefined))
  const approval = apiApprovalOf(definition)
  if (approval !== undefined) set(approvalCondition(approval))
  return { ...definition.status, acceptedNames: names, conditions }
}

function established(accepted: boolean): Omit<Condition, 'lastTransitionTime'> {
  return accepted
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
}

const approvalReasons = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
} as const

function approvalCondition({
  kind,
  message,
}: NonNullable<ReturnType<typeof apiApprovalOf>>): Omit<Condition, 'lastTransitionTime'> {
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: kind === 'approved' ? 'True' : 'False',
    reason: approvalReasons[kind],
    message,
  }
}
