import type { CallOptions } from '@hykube/tfplugin/grpc'
import { sendApply } from '../calls/apply-call.ts'
import { type ApplyInput, type FinalCall, finalPlan } from '../calls/final-plan.ts'
import type { ProviderPort } from '../calls/instance.ts'
import { judgeOutcome, type Outcome } from '../calls/outcome.ts'

export interface ApplyOptions extends CallOptions {
  /** Awaited between the final plan and the call, where the journal records the intent. Default: nothing. */
  readonly beforeCall?: (plan: FinalCall) => Promise<void>
}

/** Applies one step of an approved change in one go: final plan, call, check of the answer. Rejects when the provider could not be called. */
export async function applyInstance(
  input: ApplyInput,
  provider: ProviderPort,
  options: ApplyOptions = {},
): Promise<Outcome> {
  const plan = await finalPlan(input, provider, options)
  if (plan.kind === 'call') {
    await options.beforeCall?.(plan)
    return judgeOutcome(input, plan, await sendApply(plan, provider, options))
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
