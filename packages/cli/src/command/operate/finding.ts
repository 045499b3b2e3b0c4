import { messageOf } from '@hykube/machinery/base'
import { failedWith } from '@hykube/runtime/client'

/** The result of a check. */
export interface Finding {
  readonly check: string
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** The remedy. */
  readonly advice?: string
}

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message }
}

/** The result of a check that failed itself. */
export function failedCheck(error: unknown): Finding[] {
  // A missing permission says nothing about the health of the server.
  const level = failedWith(error, 'Forbidden') ? 'warning' : 'problem'
  return [{ check: 'check', level, message: messageOf(error) }]
}
