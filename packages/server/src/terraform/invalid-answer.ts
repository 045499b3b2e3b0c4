import { ProviderAnswerError } from '@hykube/tfplugin/protocol'
import { type Failure, FindingsOf } from './calls/findings.ts'
import type { ResourceInstance } from './calls/instance.ts'

/** Converts the error for an answer that doesn't match the provider's own schema to a failure; rethrows any other error. */
export function invalidAnswer(instance: ResourceInstance, error: unknown, summary: string): Failure {
  if (!(error instanceof ProviderAnswerError)) throw error
  const findings = new FindingsOf(instance)
  findings.bug(summary, `gave an answer that does not fit its schema: ${error.message}`)
  return findings.failure()
}
