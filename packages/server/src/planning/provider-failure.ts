import type { PlanDiagnostic } from '@hykube/machinery/plan-api'
import type { PlanContext } from './context.ts'

/** Why a provider call for one instance failed. */
export interface FailedCall {
  readonly message: string
  readonly diagnostics: readonly PlanDiagnostic[]
}

/**
 * Converts the error of a provider that timed out, crashed or sent an invalid answer, which blocks only the instance of the call. Rethrows any
 * other error, and every error once the plan itself is aborted.
 */
export function failedCall({ ports, signal }: PlanContext, error: unknown): FailedCall {
  const detail = signal.aborted ? undefined : ports.failureText(error)
  if (detail === undefined) throw error
  return { message: detail, diagnostics: [{ severity: 'error', summary: 'Provider call failed', detail }] }
}
