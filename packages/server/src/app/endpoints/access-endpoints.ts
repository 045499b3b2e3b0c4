import type { KubernetesObject } from '@hykube/machinery/object'
import { StatusError } from '@hykube/machinery/status'
import {
  answerTokenRequest,
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
} from '../../auth/index.ts'
import {
  type EndpointHandler,
  type EndpointHandlers,
  presentAnswer,
  type RequestContext,
  type ResourcePath,
  readObject,
  type Target,
} from '../../http/index.ts'
import type { Access } from '../access.ts'

/** Endpoints of access reviews and token requests, which answer a POST and store nothing. */
export function accessEndpoints(access: Access): EndpointHandlers {
  const { authorizer, authenticator, audiences } = access
  const review =
    (answer: Answer): EndpointHandler =>
    async (context, target) =>
      presentAnswer(await answer(await readObject(context, target), context, target), context, 201)
  return new Map<string, EndpointHandler>([
    [
      'authorization.k8s.io/subjectaccessreviews',
      review((body, { path }) => reviewSubjectAccess(body, { authorizer, cluster: path.cluster })),
    ],
    [
      'authorization.k8s.io/localsubjectaccessreviews',
      review((body, { path }) => reviewLocalSubjectAccess(body, path.namespace, { authorizer, cluster: path.cluster })),
    ],
    [
      'authorization.k8s.io/selfsubjectaccessreviews',
      review((body, { path, user }) => reviewSelfSubjectAccess(body, user, { authorizer, cluster: path.cluster })),
    ],
    [
      'authorization.k8s.io/selfsubjectrulesreviews',
      review((body, { path, user }) => reviewSelfSubjectRules(body, user, { authorizer, cluster: path.cluster })),
    ],
    ['authentication.k8s.io/selfsubjectreviews', review((_, { user }) => reviewSelfSubject(user))],
    [
      'authentication.k8s.io/tokenreviews',
      review((body, { path }) => reviewToken(body, { authenticator, audiences, cluster: path.cluster })),
    ],
    ['/serviceaccounts/token', (context, target) => token(access, context, target)],
  ])
}

type Answer = (
  body: KubernetesObject,
  context: RequestContext<ResourcePath>,
  target: Target,
) => object | Promise<object>

async function token(access: Access, context: RequestContext<ResourcePath>, target: Target) {
  const { cluster, namespace, name } = context.path
  if (namespace === '') throw new StatusError('BadRequest', 'the path of a service account needs a namespace')
  const answer = await answerTokenRequest(await readObject(context, target), {
    cluster,
    namespace,
    name,
    issuer: access.tokenIssuer,
    objects: access.boundObjects,
    audiences: access.audiences,
    maximumSeconds: access.maxTokenSeconds,
  })
  context.warnings.push(...answer.warnings)
  return presentAnswer(answer.object, context, 201)
}
