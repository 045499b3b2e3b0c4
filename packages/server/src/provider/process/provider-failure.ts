import type { StatusName } from '@hykube/tfplugin/grpc'
import type { ProviderDiagnostic } from '@hykube/tfplugin/protocol'

/** Every reason why a provider could not be asked, fit for the reason of a condition. */
export const providerFailureReasons = [
  // Its process ended in the middle of a call, or while it was being started.
  'ProviderCrashed',
  // It did not answer in time.
  'ProviderTimeout',
  // It was ended because it used more memory than it may.
  'ProviderOutOfMemory',
  // It answered something that it must not answer.
  'ProviderMisbehaved',
  // It does not know the call.
  'ProviderUnimplemented',
  // It is not being started just now: it failed before, or the server is stopping.
  'ProviderUnavailable',
  // What was started is no provider, or can't be started.
  'HandshakeFailed',
  // The files of its package are not those that were installed.
  'PackageChanged',
  // It does not take its configuration; the diagnostics say why.
  'ConfigurationRefused',
  // What was to be sent does not fit the provider's schema.
  'RequestInvalid',
  // Who asked gave up.
  'CallCanceled',
] as const

export type ProviderFailureReason = (typeof providerFailureReasons)[number]

export interface ProviderFailureOptions extends ErrorOptions {
  /** Whether the call may have reached the provider. Default true: who can't know must assume it. */
  readonly sent?: boolean
  /** In how many milliseconds the provider may be started again. */
  readonly retryAfter?: number | undefined
  /** What the process said when it died. */
  readonly panic?: string | undefined
  readonly status?: StatusName | undefined
  readonly diagnostics?: readonly ProviderDiagnostic[] | undefined
}

/**
 * A call that a provider did not answer as it should. When `sent` is false the provider certainly did nothing with it,
 * so that it may be repeated whatever it was; else what it did is not known. Messages hold no secrets.
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
