import type { BegunIntent, OutcomeDraft } from '../model/index.ts'
import { type ApplyAnswer, type FinalCall, type Outcome, type ProviderPort, sendApply } from '../terraform/index.ts'
import type { ApplyPorts } from './ports.ts'
import { recordBefore } from './records.ts'
import { applied, type StepOutcome } from './step-outcome.ts'

/**
 * Makes the provider call of a recorded intent once and stores the outcome. If the call was sent but not answered, the intent stays open
 * and recovery decides about it.
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
    if (!ports.isUnsent(answer.error)) return { kind: 'unknown', message, isFinished: ports.isFinished(answer.error) }
    const failed: Outcome = {
      kind: 'failed',
      unclear: false,
      diagnostics: [{ severity: 'error', summary: message }],
      notes: [],
    }
    // The call was never sent, so the stored state is still valid.
    await ports.ledger.end(begun, { ...draft(failed), record: recordBefore(begun.draft) })
    return { kind: 'failed', message }
  }
  const judged = judge(answer)
  const outcome = draft(judged)
  const { result, message = '' } = outcome.outcome
  if (judged.unclear) return { kind: 'unknown', message, isFinished: true }
  await ports.ledger.end(begun, outcome)
  return result === 'applied' ? applied(outcome) : { kind: 'failed', message }
}

async function attempt(plan: FinalCall, port: ProviderPort): Promise<ApplyAnswer | { readonly error: unknown }> {
  try {
    return await sendApply(plan, port)
  } catch (error) {
    return { error }
  }
}
