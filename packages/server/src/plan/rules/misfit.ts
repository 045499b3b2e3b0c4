import { ProviderAnswerError } from '@hykube/tfplugin/protocol'
import { type Failure, FindingsOf } from './findings.ts'
import type { ResourceInstance } from './instance.ts'

/** An answer that does not fit the provider's own schema, as a failure; any other error is thrown on. */
export function misfit(instance: ResourceInstance, error: unknown, summary: string): Failure {
  if (!(error instanceof ProviderAnswerError)) throw error
  const findings = new FindingsOf(instance)
  findings.bug(summary, `gave an answer that does not fit its schema: ${error.message}`)
  return findings.failure()
}
