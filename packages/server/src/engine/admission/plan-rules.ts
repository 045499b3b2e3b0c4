import type { KubernetesObject } from '@hykube/machinery/object'
import { forbidden, invalid } from '@hykube/machinery/status'
import type { AdmissionPlugin, AdmissionRequest } from '../../admission/index.ts'
import { type Authorizer, resourceAttributes } from '../../auth/index.ts'
import type { KindCatalogue } from '../../plan/index.ts'
import { planSpecOf } from '../plan-spec.ts'
import { addressProblems } from './address-problems.ts'
import { annotationsOfAuthor, authorAnnotation, authorAnnotations, authorIdentityAnnotation } from './plan-author.ts'

/**
 * Plans carry their author; approving automatically and covering every namespace are for those who may. Where author and
 * approver must differ, nothing is approved automatically.
 */
export function planRules(authorizer: Authorizer, kinds: KindCatalogue, demandsSecond: boolean): AdmissionPlugin {
  return {
    name: 'PlanRules',
    handles: ({ type, subresource, operation }) =>
      type.group === 'hykube.io' && type.names.kind === 'Plan' && subresource === '' && operation !== 'DELETE',
    mutate: (request) => withAuthor(request),
    validate: (request) => {
      if (request.operation !== 'CREATE' || request.object === undefined) return
      const { approval, allNamespaces = false } = planSpecOf(request.object)
      const problems = addressProblems(planSpecOf(request.object), request.cluster, kinds)
      if (problems.length > 0) throw invalid({ group: 'hykube.io', kind: 'Plan' }, request.name, problems)
      if (approval === 'Automatic' && demandsSecond)
        throw forbidden({ group: 'hykube.io', resource: 'plans' }, request.name, noSecond)
      if (approval === 'Automatic') demand(authorizer, request, 'update', 'approval', request.namespace, automatic)
      if (allNamespaces) demand(authorizer, request, 'create', '', '', everywhere)
    },
  }
}

const automatic = 'spec.approval Automatic is for those who may approve plans (update plans/approval)'
const noSecond = 'spec.approval Automatic has no second approver, and this server demands one'
const everywhere = 'spec.allNamespaces is for those who may create plans in every namespace'

function demand(
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

function withAuthor({ object, old, user }: AdmissionRequest): KubernetesObject {
  const author = old === undefined ? annotationsOfAuthor(user) : authorAnnotations(old)
  const { metadata = {} } = object!
  const { [authorAnnotation]: _, [authorIdentityAnnotation]: __, ...others } = metadata.annotations ?? {}
  return { ...object!, metadata: { ...metadata, annotations: { ...others, ...author } } }
}
