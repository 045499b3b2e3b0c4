import type { ShownDiagnostic } from './change-record.ts'
import type { PlanContext } from './context.ts'

/** Why a provider could not be asked about one instance. */
export interface FailedCall {
  readonly message: string
  readonly diagnostics: readonly ShownDiagnostic[]
}

/**
 * What a provider did that hung, crashed or answered nonsense: that stops what it was asked about, and nothing else of the
 * plan. Any other error is thrown on, and so is everything once the plan itself was stopped.
 */
export function failedCall({ ports, signal }: PlanContext, error: unknown): FailedCall {
  const detail = signal.aborted ? undefined : ports.failureText(error)
  if (detail === undefined) throw error
  return { message: detail, diagnostics: [{ severity: 'error', summary: 'Provider could not be asked', detail }] }
}
