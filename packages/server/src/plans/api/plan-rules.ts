import { forbidden, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { KindCatalogue } from '../../model/index.ts'
import { addressProblems } from './address-problems.ts'
import { withServerAnnotations } from './plan-author.ts'
import { planSpecOf } from './plan-spec.ts'

/**
 * Admission of Plans: records the author, and requires permissions for automatic approval and for plans over all namespaces. Where author
 * and approver must differ, automatic approval is rejected.
 */
export function planRules(
  authorizer: Authorizer,
  kinds: KindCatalogue,
  requiresSecondApprover: boolean,
): AdmissionPlugin {
  return {
    name: 'PlanRules',
    handles: ({ type, subresource, operation }) =>
      type.group === 'hykube.io' && type.names.kind === 'Plan' && subresource === '' && operation !== 'DELETE',
    mutate: ({ object, old, user }) => withServerAnnotations(object!, old, user),
    validate: (request) => {
      if (request.operation !== 'CREATE' || request.object === undefined) return
      const { approval, allNamespaces = false } = planSpecOf(request.object)
      const problems = addressProblems(planSpecOf(request.object), request.cluster, kinds)
      if (problems.length > 0) throw invalid({ group: 'hykube.io', kind: 'Plan' }, request.name, problems)
      if (approval === 'Automatic' && requiresSecondApprover)
        throw forbidden({ group: 'hykube.io', resource: 'plans' }, request.name, noSecond)
      if (approval === 'Automatic')
        requirePermission(authorizer, request, 'update', 'approval', request.namespace, automatic)
      if (allNamespaces) requirePermission(authorizer, request, 'create', '', '', everywhere)
    },
  }
}

const automatic = 'spec.approval Automatic requires permission to approve plans (update plans/approval)'
const noSecond = 'spec.approval Automatic has no second approver, and this server requires one'
const everywhere = 'spec.allNamespaces requires permission to create plans in every namespace'

function requirePermission(
  authorizer: Authorizer,
  { user, cluster, name }: AdmissionRequest,
  verb: string,
  subresource: string,
  namespace: string,
  message: string,
): void {
  const attributes = resourceAttributes({
    user,
    cluster,
    verb,
    apiGroup: 'hykube.io',
    apiVersion: 'v1alpha1',
    resource: 'plans',
    subresource,
    namespace,
  })
  if (!authorizer.authorize(attributes).allowed)
    throw forbidden({ group: 'hykube.io', resource: 'plans' }, name, message)
}
