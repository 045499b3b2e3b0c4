/**
 * A problem found while checking something: collected with others, never thrown alone. The summary is constant text, so
 * that people learn to recognise it; the detail says what, why it matters and what to do.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning'
  readonly summary: string
  readonly detail?: string
  /** The resource it concerns, as `type.name` or with an index. */
  readonly address?: string
  /** The field it concerns, as `spec.rules[0].port`. */
  readonly path?: string
}

/** Whether any of them is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}

/** A diagnostic in one line, as logs and conditions carry it. */
export function diagnosticToText({ severity, summary, detail, address, path }: Diagnostic): string {
  const place = [address, path].filter((part) => part !== undefined).join(' ')
  const text = detail === undefined || detail === '' ? summary : `${summary}: ${detail}`
  return `${severity}: ${place === '' ? '' : `${place}: `}${text}`
}
