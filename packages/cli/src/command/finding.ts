/** What a check found. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do. */
  readonly advice?: string
}

/** That all is well. */
export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message }
}

/** That a check itself went wrong. */
export function failedCheck(error: unknown): Finding[] {
  return [{ check: 'check', level: 'problem', message: messageOf(error) }]
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
