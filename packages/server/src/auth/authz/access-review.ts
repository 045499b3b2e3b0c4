import { badRequest, invalid, type StatusCause } from '@hykube/machinery/status'
import { isObject, objectOf, textOf, textsOf, type Untyped } from '../untyped.ts'
import type { UserInfo } from '../user-info.ts'
import { type Attributes, pathAttributes, resourceAttributes } from './attributes.ts'
import type { Authorizer } from './authorizer.ts'

/** Context of a review. */
export interface AccessReviewContext {
  readonly authorizer: Authorizer
  readonly cluster: string
}

/** Answers a SubjectAccessReview. Throws 422 for an invalid one. */
export function reviewSubjectAccess(review: Untyped, context: AccessReviewContext): Untyped {
  refuse('SubjectAccessReview', [...specProblems(review), ...subjectProblems(review), ...metadataProblems(review, [])])
  return answer(review, userFrom(objectOf(review.spec)), context)
}

/** Answers a LocalSubjectAccessReview for its namespace. */
export function reviewLocalSubjectAccess(review: Untyped, namespace: string, context: AccessReviewContext): Untyped {
  refuse('LocalSubjectAccessReview', [
    ...specProblems(review),
    ...subjectProblems(review),
    ...metadataProblems(review, ['namespace']),
    ...namespaceProblems(review),
  ])
  if (textOf(objectOf(review.metadata).namespace) !== namespace)
    throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`)
  return answer(review, userFrom(objectOf(review.spec)), context)
}

/** Answers a SelfSubjectAccessReview for the requesting user. */
export function reviewSelfSubjectAccess(review: Untyped, user: UserInfo, context: AccessReviewContext): Untyped {
  refuse('SelfSubjectAccessReview', [...specProblems(review), ...metadataProblems(review, [])])
  return answer(review, user, context)
}

function answer(review: Untyped, user: UserInfo, { authorizer, cluster }: AccessReviewContext): Untyped {
  const { allowed, reason } = authorizer.authorize(attributesFrom(objectOf(review.spec), user, cluster))
  return { ...review, status: { allowed, ...(reason === '' ? {} : { reason }) } }
}

function attributesFrom(spec: Untyped, user: UserInfo, cluster: string): Attributes {
  if (!isObject(spec.resourceAttributes)) {
    const { path, verb } = objectOf(spec.nonResourceAttributes)
    return pathAttributes({ user, cluster, verb: textOf(verb), path: textOf(path) })
  }
  const { verb, namespace, group, version, resource, subresource, name } = spec.resourceAttributes
  return resourceAttributes({
    user,
    cluster,
    verb: textOf(verb),
    namespace: textOf(namespace),
    apiGroup: textOf(group),
    apiVersion: textOf(version) === '' ? '*' : textOf(version),
    resource: textOf(resource),
    subresource: textOf(subresource),
    name: textOf(name),
  })
}

function userFrom({ user, groups, uid, extra }: Untyped): UserInfo {
  const extras = Object.entries(objectOf(extra)).map(([key, values]) => [key, textsOf(values)])
  return {
    name: textOf(user),
    groups: textsOf(groups),
    ...(textOf(uid) === '' ? {} : { uid: textOf(uid) }),
    ...(extras.length === 0 ? {} : { extra: Object.fromEntries(extras) }),
  }
}

function refuse(kind: string, problems: readonly StatusCause[]): void {
  if (problems.length > 0) throw invalid({ group: 'authorization.k8s.io', kind }, '', problems)
}

function specProblems(review: Untyped): StatusCause[] {
  const { resourceAttributes: resource, nonResourceAttributes: other } = objectOf(review.spec)
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  if (!isObject(resource) && !isObject(other)) return [problem('spec.resourceAttributes', 'null', why)]
  if (isObject(resource) && isObject(other))
    return [problem('spec.nonResourceAttributes', other, 'cannot be specified in combination with resourceAttributes')]
  return []
}

function subjectProblems(review: Untyped): StatusCause[] {
  const { user, groups } = objectOf(review.spec)
  if (textOf(user) !== '' || textsOf(groups).length > 0) return []
  return [problem('spec.user', '', 'at least one of user or group must be specified')]
}

function metadataProblems(review: Untyped, allowed: readonly string[]): StatusCause[] {
  const ignored = new Set([...allowed, 'managedFields'])
  const metadata = objectOf(review.metadata)
  const given = Object.entries(metadata).filter(([key, value]) => !ignored.has(key) && value !== null && value !== '')
  const exception = allowed.length === 0 ? '' : ` except for ${allowed.join()}`
  return given.length === 0 ? [] : [problem('metadata', metadata, `must be empty${exception}`)]
}

function namespaceProblems(review: Untyped): StatusCause[] {
  const { resourceAttributes: resource, nonResourceAttributes: other } = objectOf(review.spec)
  const own = textOf(objectOf(review.metadata).namespace)
  const asked = textOf(objectOf(resource).namespace)
  const field = 'spec.resourceAttributes.namespace'
  return [
    ...(isObject(resource) && asked !== own ? [problem(field, asked, 'must match metadata.namespace')] : []),
    ...(isObject(other) ? [problem('spec.nonResourceAttributes', other, 'disallowed on this kind of request')] : []),
  ]
}

function problem(field: string, value: unknown, why: string): StatusCause {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${JSON.stringify(value)}: ${why}` }
}
