import { type ApplyAnswer, carryOut, type FinalCall, type Outcome, type ProviderPort } from '../plan/index.ts'
import type { ApplyPorts, BegunIntent, OutcomeDraft } from './ports.ts'
import type { StepOutcome } from './step-outcome.ts'

/** Makes a call that was written down, and writes down what came of it. */
export async function callProvider(
  ports: ApplyPorts,
  begun: BegunIntent,
  plan: FinalCall,
  port: ProviderPort,
  judge: (answer: ApplyAnswer) => Outcome,
  draft: (outcome: Outcome) => OutcomeDraft,
): Promise<StepOutcome> {
  const answer = await attempt(ports, begun, plan, port)
  if ('error' in answer) {
    const message = ports.describe(answer.error)
    if (!ports.isUnsent(answer.error)) return { kind: 'unknown', message }
    const failed: Outcome = {
      kind: 'failed',
      unclear: false,
      diagnostics: [{ severity: 'error', summary: message }],
      notes: [],
    }
    await ports.ledger.end(begun, { ...draft(failed), ...keptState(begun) })
    return { kind: 'failed', message }
  }
  const outcome = draft(judge(answer))
  await ports.ledger.end(begun, outcome)
  const { result, message = '' } = outcome.outcome
  return result === 'applied' ? { kind: 'applied' } : { kind: 'failed', message }
}

// What may be repeated is, a few times; whatever else happened in between, the provider makes no second object of it.
async function attempt(
  ports: ApplyPorts,
  { draft }: BegunIntent,
  plan: FinalCall,
  port: ProviderPort,
): Promise<ApplyAnswer | { readonly error: unknown }> {
  for (let left = draft.call?.repeatable === true ? mostAttempts : 1; ; ) {
    try {
      return await carryOut(plan, port)
    } catch (error) {
      if (--left === 0 || ports.isUnsent(error)) return { error }
    }
  }
}

const mostAttempts = 3

// The call was never made, so that everything is as it was.
function keptState({ draft }: BegunIntent): Pick<OutcomeDraft, 'record'> {
  return { record: (draft.states?.observed ?? draft.states?.current)?.record }
}
