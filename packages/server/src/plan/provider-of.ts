import type { PlanContext } from './context.ts'
import type { NodeFacts } from './facts.ts'
import type { Inputs } from './inputs.ts'
import { configurationOf } from './lifecycle.ts'
import type { ProviderAccess, ProviderProblem } from './ports.ts'

/** The configured provider of an object, unless the author of the plan may not use it: then nothing of it is called. */
export async function providerOf(
  { ports, request }: PlanContext,
  { place, kind, spec }: NodeFacts,
  configured?: Inputs,
): Promise<ProviderAccess | ProviderProblem> {
  const problem = await request.refusesUse?.(kind)
  return problem === undefined ? ports.provider(place, kind, configurationOf(spec), configured) : { problem }
}
