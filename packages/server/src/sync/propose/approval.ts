import type { PlanStatus } from '@hykube/machinery/plan-api'

type PlanApproval = NonNullable<PlanStatus['approval']>

/** The approval that a policy gives as its actor. */
export function approvalOf(policy: string, by: string, at: string): PlanApproval {
  return { decision: 'Approved', by, at, message: `${approvedBy} ${JSON.stringify(policy)}` }
}

/** Reports whether a policy gave an approval, and not a user. */
export function isApprovedByPolicy(approval: PlanApproval | undefined): boolean {
  return approval?.message?.startsWith(approvedBy) === true
}

const approvedBy = 'approved by sync policy'
