import type { ShownDiagnostic } from '../plan/index.ts'
import type { ApplyPorts, ChangeInHand } from './ports.ts'

/** How a step of a change came out. */
export type StepOutcome =
  | { readonly kind: 'applied' }
  | { readonly kind: 'failed' | 'refused'; readonly message: string }
  /** Nobody knows what came of a call. When it is not over, its process may still be at it. */
  | { readonly kind: 'unknown'; readonly message: string; readonly isOver?: boolean }

/** Something that the change leans on has moved. */
export async function refuse(ports: ApplyPorts, change: ChangeInHand, message: string): Promise<StepOutcome> {
  await ports.ledger.note(change, { result: 'refused', message, at: ports.now() })
  return { kind: 'refused', message }
}

/** It could not be done, and nothing was begun. */
export async function fail(
  ports: ApplyPorts,
  change: ChangeInHand,
  message: string,
  diagnostics: readonly ShownDiagnostic[] = [],
): Promise<StepOutcome> {
  const [first] = diagnostics
  const text = first === undefined ? message : (first.detail ?? first.summary)
  await ports.ledger.note(change, { result: 'failed', message: text, at: ports.now(), ...shown(diagnostics) })
  return { kind: 'failed', message: text }
}

/** Diagnostics, where there are some. */
export function shown(diagnostics: readonly ShownDiagnostic[]): { readonly diagnostics?: readonly ShownDiagnostic[] } {
  return diagnostics.length === 0 ? {} : { diagnostics }
}
