import type { CallOptions } from '@hykube/tfplugin/grpc'
import type { PlanResourceChangeRequest, PlanResourceChangeResponse } from '@hykube/tfplugin/protocol'
import { invalidAnswer } from '../invalid-answer.ts'
import type { ProviderPort } from './instance.ts'
import { judgePlan, judgeReplacement, judgeValidation } from './judge-plan.ts'
import { type PlanInput, planRequestFor, validationRequestFor } from './plan-request.ts'
import type { PlannedInstance } from './planned-instance.ts'

/**
 * Plans one instance: validates its configuration, has the provider plan it, checks the answer, and plans the new resource with a second
 * call if the old one must be replaced. Rejects when the provider could not be called.
 */
export async function planInstance(
  input: PlanInput,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<PlannedInstance> {
  const validity = judgeValidation(input, await provider.validateResourceConfig(validationRequestFor(input), options))
  if (validity.kind === 'failed') return validity
  const planned = await planValid(input, provider, options)
  if (validity.diagnostics.length === 0) return planned
  return { ...planned, diagnostics: [...validity.diagnostics, ...planned.diagnostics] }
}

async function planValid(input: PlanInput, provider: ProviderPort, options?: CallOptions): Promise<PlannedInstance> {
  const ask = (request: PlanResourceChangeRequest): Promise<PlanResourceChangeResponse> =>
    provider.planResourceChange(request, options)
  try {
    const request = planRequestFor(input)
    const verdict = judgePlan(input, request, await ask(request))
    return verdict.kind === 'replacement' ? judgeReplacement(input, verdict, await ask(verdict.request)) : verdict
  } catch (error) {
    return invalidAnswer(input, error, 'Provider produced invalid plan')
  }
}
