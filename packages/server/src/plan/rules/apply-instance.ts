import type { CallOptions } from '@hykube/tfplugin/grpc'
import { carryOut } from './carry-out.ts'
import { type ApplyInput, type FinalCall, finalPlan } from './final-plan.ts'
import type { ProviderPort } from './instance.ts'
import { judgeOutcome, type Outcome } from './outcome.ts'

export interface ApplyOptions extends CallOptions {
  /** Awaited between the final plan and the call, for whoever must write down what is about to happen. Default: nothing. */
  readonly beforeCall?: (plan: FinalCall) => Promise<void>
}

/** Applies one step of an approved change: final plan, call, judgement. Rejects when the provider could not be asked. */
export async function applyInstance(
  input: ApplyInput,
  provider: ProviderPort,
  options: ApplyOptions = {},
): Promise<Outcome> {
  const plan = await finalPlan(input, provider, options)
  if (plan.kind === 'call') {
    await options.beforeCall?.(plan)
    return judgeOutcome(input, plan, await carryOut(plan, provider, options))
  }
  const { diagnostics, notes } = plan
  const state = plan.kind === 'failed' ? input.prior : plan.state
  return {
    kind: plan.kind === 'failed' ? 'failed' : 'applied',
    unclear: false,
    diagnostics,
    notes,
    ...(state !== undefined && { state }),
  }
}
