import { type Clock, systemClock } from '@hykube/machinery/base'
import { badRequest } from '@hykube/machinery/status'
import { objectOf, textOf, textsOf, type Untyped } from '../untyped.ts'
import type { UserInfo } from '../user-info.ts'
import type { Authenticator } from './authenticator.ts'
import { timestamp } from './token-issuer.ts'

/** Answers a SelfSubjectReview with the requesting user. */
export function reviewSelfSubject(user: UserInfo, clock: Clock = systemClock): Untyped {
  return {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: timestamp(Math.floor(clock.now() / 1000)) },
    status: { userInfo: userInfo(user) },
  }
}

/** Context of a TokenReview. */
export interface TokenReviewContext {
  readonly authenticator: Authenticator
  readonly cluster: string
  /** Audiences of this API, the default for reviews. */
  readonly audiences: readonly string[]
}

/** Answers a TokenReview in this logical cluster. */
export async function reviewToken(review: Untyped, context: TokenReviewContext): Promise<Untyped> {
  const spec = objectOf(review.spec)
  const token = textOf(spec.token)
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const asked = textsOf(spec.audiences)
  const audiences = asked.length === 0 ? context.audiences : asked
  const outcome = await context.authenticator.authenticateToken(token, { audiences, cluster: context.cluster })
  if (outcome.kind !== 'authenticated') {
    const error = outcome.kind === 'refused' ? outcome.why : 'invalid bearer token'
    return { ...review, status: { user: {}, error } }
  }
  const { user, audiences: meant = audiences } = outcome.identity
  return { ...review, status: { authenticated: true, user: userInfo(user), audiences: meant } }
}

function userInfo({ name, uid, groups, extra }: UserInfo): Untyped {
  return {
    username: name,
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
  }
}
