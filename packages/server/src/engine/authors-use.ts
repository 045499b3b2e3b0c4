import type { KubernetesObject } from '@hykube/machinery/object'
import type { PlanRequest } from '../plan/index.ts'
import { authorOf } from './admission/plan-author.ts'
import type { EngineParts } from './engine-parts.ts'

/** Tells for each kind why the author of a plan may not use its provider. Each provider is looked at once per plan. */
export function authorsUse(
  { refusesUse }: Pick<EngineParts, 'refusesUse'>,
  cluster: string,
  plan: KubernetesObject,
): NonNullable<PlanRequest['refusesUse']> {
  const author = authorOf(plan)
  const known = new Map<string, Promise<string | undefined>>()
  return ({ provider }) => {
    const problem = known.get(provider) ?? Promise.resolve(refusesUse?.(author, cluster, provider))
    known.set(provider, problem)
    return problem
  }
}
