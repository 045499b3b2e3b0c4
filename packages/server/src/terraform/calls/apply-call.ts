import type { CallOptions } from '@hykube/tfplugin/grpc'
import { type ApplyResourceChangeResponse, ProviderAnswerError } from '@hykube/tfplugin/protocol'
import type { FinalCall } from './final-plan.ts'
import type { ProviderPort } from './instance.ts'

/** A provider's answer to ApplyResourceChange. */
export type ApplyAnswer =
  | { readonly kind: 'answered'; readonly response: ApplyResourceChangeResponse }
  /** The provider answered, but the answer doesn't match its own schema. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Sends the apply call of a final plan once. Rejects with the client's own error when the provider could not be reached or its answer
 * was lost; then only the kind of the error tells whether the call may have had an effect.
 */
export async function sendApply(
  { request }: FinalCall,
  provider: ProviderPort,
  options?: CallOptions,
): Promise<ApplyAnswer> {
  try {
    return { kind: 'answered', response: await provider.applyResourceChange(request, options) }
  } catch (error) {
    if (error instanceof ProviderAnswerError) return { kind: 'unreadable', reason: error.message }
    throw error
  }
}
