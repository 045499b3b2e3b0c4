/**
 * A problem found while validating or planning. Diagnostics are collected and reported together, not thrown one by one.
 * The summary is constant text that users can search for; the detail has the values, the reason and the remedy.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  /** The resource concerned: `type.name`, with an instance key when there is one. */
  readonly address?: string
  /** The field concerned, such as `spec.rules[0].port`. */
  readonly path?: string
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
