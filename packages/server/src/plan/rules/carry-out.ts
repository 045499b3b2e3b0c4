import type { CallOptions } from '@hykube/tfplugin/grpc'
import { type ApplyResourceChangeResponse, ProviderAnswerError } from '@hykube/tfplugin/protocol'
import type { FinalCall } from './final-plan.ts'
import type { ProviderPort } from './instance.ts'

/** What a provider answered to a call that changes something. */
export type ApplyAnswer =
  | { readonly kind: 'answered'; readonly response: ApplyResourceChangeResponse }
  /** It did answer, but not in the shape of its own schema. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Makes the call of a final plan, once. Rejects with the client's own error when the provider could not be reached or
 * its answer was lost: then only the error's kind tells whether the call can have had an effect.
 */
export async function carryOut(
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
