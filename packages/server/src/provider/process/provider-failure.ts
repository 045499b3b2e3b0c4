import type { StatusName } from '@hykube/tfplugin/grpc'
import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'

/** Every reason of a failed call to a provider; each can be the `reason` of a condition. */
export const providerFailureReasons = [
  // The process exited during a call or during its start.
  'ProviderCrashed',
  // The call exceeded its deadline.
  'ProviderTimeout',
  // The process was killed because it exceeded the memory limit.
  'ProviderOutOfMemory',
  // The response violates the protocol or the schema.
  'ProviderMisbehaved',
  // The provider does not implement the call.
  'ProviderUnimplemented',
  // The process is not started: it failed recently, or the server is stopping.
  'ProviderUnavailable',
  // The executable can't be started, or is not a provider.
  'HandshakeFailed',
  // The files of the package differ from the installed ones.
  'PackageChanged',
  // The provider rejected its configuration; see the diagnostics.
  'ConfigurationRefused',
  // The request does not conform to the provider's schema.
  'RequestInvalid',
  // The caller aborted the call.
  'CallCanceled',
] as const

export type ProviderFailureReason = (typeof providerFailureReasons)[number]

export interface ProviderFailureOptions extends ErrorOptions {
  /** The call may have reached the provider. Default true, the safe assumption. */
  readonly sent?: boolean
  /** Milliseconds until the provider may be started again. */
  readonly retryAfter?: number | undefined
  /** The Go panic that the process printed before it exited. */
  readonly panic?: string | undefined
  readonly status?: StatusName | undefined
  readonly diagnostics?: readonly ProviderDiagnostic[] | undefined
}

/**
 * A failed call to a provider. If `sent` is false, the provider did not receive the call, so any call can be repeated; otherwise
 * its effect is unknown. Messages contain no secrets.
 */
export class ProviderFailure extends Error {
  readonly reason: ProviderFailureReason
  readonly sent: boolean
  readonly retryAfter: number | undefined
  readonly panic: string | undefined
  readonly status: StatusName | undefined
  readonly diagnostics: readonly ProviderDiagnostic[]

  constructor(reason: ProviderFailureReason, message: string, options: ProviderFailureOptions = {}) {
    super(message, options)
    this.name = 'ProviderFailure'
    this.reason = reason
    this.sent = options.sent ?? true
    this.retryAfter = options.retryAfter
    this.panic = options.panic
    this.status = options.status
    this.diagnostics = options.diagnostics ?? []
  }
}
