import { badRequest } from '@hykube/machinery/status'
import { aggregate } from '../go-format.ts'
import { objectOf, textOf, type Untyped } from '../untyped.ts'
import type { UserInfo } from '../user-info.ts'
import type { AccessReviewContext } from './access-review.ts'

/** Answers a SelfSubjectRulesReview with all rules of the requesting user in a namespace. */
export function reviewSelfSubjectRules(review: Untyped, user: UserInfo, context: AccessReviewContext): Untyped {
  const namespace = textOf(objectOf(review.spec).namespace)
  if (namespace === '') throw badRequest('no namespace on request')
  const { rules, problems } = context.authorizer.rulesFor(user, context.cluster, namespace)
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { creationTimestamp: null },
    spec: {},
    status: {
      resourceRules: rules
        .filter(({ resources = [] }) => resources.length > 0)
        .map(({ nonResourceURLs, ...rule }) => rule),
      nonResourceRules: rules
        .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
      ...(problems.length === 0 ? {} : { evaluationError: aggregate(problems) }),
    },
  }
}
