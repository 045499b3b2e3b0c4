import type { PlanDiagnostic } from '@hykube/machinery/plan-api'
import type { ChangeInProgress, OutcomeDraft } from '../model/index.ts'
import type { ApplyPorts } from './ports.ts'

/** The outcome of a step. */
export type StepOutcome =
  | { readonly kind: 'applied'; readonly attributes?: OutcomeDraft['attributes'] }
  | { readonly kind: 'failed' | 'refused'; readonly message: string }
  /** The outcome of a call is unknown. Unless `isFinished`, the process may still be working on it. */
  | { readonly kind: 'unknown'; readonly message: string; readonly isFinished?: boolean }

/** Refuses a change because a precondition no longer holds. */
export async function refuse(ports: ApplyPorts, change: ChangeInProgress, message: string): Promise<StepOutcome> {
  await ports.ledger.recordOutcome(change, { result: 'refused', message, at: ports.now() })
  return { kind: 'refused', message }
}

/** Fails a change before any call was made. */
export async function fail(
  ports: ApplyPorts,
  change: ChangeInProgress,
  message: string,
  diagnostics: readonly PlanDiagnostic[] = [],
): Promise<StepOutcome> {
  const [first] = diagnostics
  const text = first === undefined ? message : (first.detail ?? first.summary)
  await ports.ledger.recordOutcome(change, { result: 'failed', message: text, at: ports.now(), ...shown(diagnostics) })
  return { kind: 'failed', message: text }
}

/** Returns diagnostics as an optional field. */
export function shown(diagnostics: readonly PlanDiagnostic[]): { readonly diagnostics?: readonly PlanDiagnostic[] } {
  return diagnostics.length === 0 ? {} : { diagnostics }
}

/** A step that was applied, with the attributes of the real resource where it has any. */
export function applied({ attributes }: Pick<OutcomeDraft, 'attributes'>): StepOutcome {
  return { kind: 'applied', ...(attributes !== undefined && { attributes }) }
}
