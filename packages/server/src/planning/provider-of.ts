import type { Inputs, ProviderAccess, ProviderProblem } from '../evaluation/index.ts'
import { configurationOf } from '../evaluation/index.ts'
import type { ResourceObject } from '../model/index.ts'
import type { PlanContext } from './context.ts'

/** Returns the configured provider of an object; a problem when the author of the plan may not use it, so that it is never called. */
export async function providerOf(
  { ports, request }: PlanContext,
  { ref, kind, spec }: ResourceObject,
  configured?: Inputs,
): Promise<ProviderAccess | ProviderProblem> {
  const problem = await request.refusesUse?.(kind)
  return problem === undefined ? ports.provider(ref, kind, configurationOf(spec), configured) : { problem }
}
