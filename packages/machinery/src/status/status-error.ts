import { messageOf } from '../base/index.ts'
import { type CauseType, type Reason, reasonCodes } from './reason.ts'

/** One of several problems in a request, with the field concerned. */
export interface StatusCause {
  readonly reason?: CauseType
  readonly message?: string
  readonly field?: string
}

/** The object that a failed request addressed, in the form of Kubernetes' StatusDetails. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  /** The kind for Invalid, the plural of the resource otherwise, as in kube-apiserver. */
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** Kubernetes' Status document: the body of a failed request, and of some successful deletions. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly status: 'Failure' | 'Success'
  readonly message?: string
  readonly reason?: Reason
  readonly details?: StatusDetails
  readonly code: number
}

export interface StatusErrorOptions {
  readonly details?: StatusDetails
  /** Default: the reason's own code. */
  readonly code?: number
  readonly cause?: unknown
  /** A retry of the same request cannot succeed. Default: true below 500, except for Conflict, 429 and timeouts. */
  readonly terminal?: boolean
}

/** The error type of all request handling. {@link statusFrom} turns it into the Status document that the client reads. */
export class StatusError extends Error {
  readonly reason: Reason
  readonly code: number
  readonly details: StatusDetails | undefined
  readonly terminal: boolean

  constructor(reason: Reason, message: string, options: StatusErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StatusError'
    this.reason = reason
    this.code = options.code ?? reasonCodes[reason]
    this.details = options.details
    this.terminal = options.terminal ?? (this.code < 500 && !retryable.has(reason))
  }

  /**
   * Turns any thrown value into a StatusError. Other errors become InternalError, with their message in the Status (as
   * kube-apiserver does) and without their stack.
   */
  static from(error: unknown): StatusError {
    if (error instanceof StatusError) return error
    return new StatusError('InternalError', `Internal error occurred: ${messageOf(error)}`, {
      cause: error,
      details: { causes: [{ message: messageOf(error) }] },
    })
  }
}

const retryable: ReadonlySet<Reason> = new Set(['Conflict', 'TooManyRequests', 'Timeout', 'ServerTimeout'])

/** Returns the Status document for a failure, with its fields in the order in which kube-apiserver writes them. */
export function statusFrom(error: StatusError): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error.message,
    reason: error.reason,
    ...(error.details === undefined ? {} : { details: error.details }),
    code: error.code,
  }
}
