import type { KubernetesObject } from '@hykube/machinery/object'
import type { UserInfo } from '../auth/index.ts'
import type { PlanRequest } from '../planning/index.ts'
import { authorOf } from './api/plan-author.ts'
import type { EngineParts } from './engine-parts.ts'

/** Returns a function that says why the author of a plan may not use a kind's provider. */
export function authorsUse(
  parts: Pick<EngineParts, 'refusesUse'>,
  cluster: string,
  plan: KubernetesObject,
): NonNullable<PlanRequest['refusesUse']> {
  return usesOf(parts, cluster, authorOf(plan))
}

/** Returns a function that says why a user may not use a kind's provider. Each provider is checked once. */
export function usesOf(
  { refusesUse }: Pick<EngineParts, 'refusesUse'>,
  cluster: string,
  user: UserInfo,
): NonNullable<PlanRequest['refusesUse']> {
  const known = new Map<string, Promise<string | undefined>>()
  return ({ provider }) => {
    const problem = known.get(provider) ?? Promise.resolve(refusesUse?.(user, cluster, provider))
    known.set(provider, problem)
    return problem
  }
}
