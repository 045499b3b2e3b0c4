import { type ApplyAnswer, carryOut, type FinalCall, type Outcome, type ProviderPort } from '../plan/index.ts'
import type { ApplyPorts, BegunIntent, OutcomeDraft } from './ports.ts'
import { recordBefore } from './records.ts'
import type { StepOutcome } from './step-outcome.ts'

/**
 * Makes a call that was written down, once, and writes down what came of it. What was sent and not answered stays open: what
 * is done then depends on what the provider promises, and is decided where calls are recovered.
 */
export async function callProvider(
  ports: ApplyPorts,
  begun: BegunIntent,
  plan: FinalCall,
  port: ProviderPort,
  judge: (answer: ApplyAnswer) => Outcome,
  draft: (outcome: Outcome) => OutcomeDraft,
): Promise<StepOutcome> {
  const answer = await attempt(plan, port)
  if ('error' in answer) {
    const message = ports.describe(answer.error)
    if (!ports.isUnsent(answer.error)) return { kind: 'unknown', message, isOver: ports.isOver(answer.error) }
    const failed: Outcome = {
      kind: 'failed',
      unclear: false,
      diagnostics: [{ severity: 'error', summary: message }],
      notes: [],
    }
    // The call was never made, so that everything is as it was.
    await ports.ledger.end(begun, { ...draft(failed), record: recordBefore(begun.draft) })
    return { kind: 'failed', message }
  }
  const judged = judge(answer)
  const outcome = draft(judged)
  const { result, message = '' } = outcome.outcome
  if (judged.unclear) return { kind: 'unknown', message, isOver: true }
  await ports.ledger.end(begun, outcome)
  return result === 'applied' ? { kind: 'applied' } : { kind: 'failed', message }
}

async function attempt(plan: FinalCall, port: ProviderPort): Promise<ApplyAnswer | { readonly error: unknown }> {
  try {
    return await carryOut(plan, port)
  } catch (error) {
    return { error }
  }
}
