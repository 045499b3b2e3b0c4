import { type CauseType, type Reason, reasonCodes } from './reason.ts'

/** One of several things that were wrong, with the field it concerns. */
export interface StatusCause {
  readonly reason?: CauseType
  readonly message?: string
  readonly field?: string
}

/** What a failure was about, in the form of Kubernetes' StatusDetails. */
export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  /** The kind for Invalid, the resource's plural otherwise, as kube-apiserver has it. */
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The document a client reads when something failed. */
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
  /** Trying the same again can't succeed. Default: true below 500, but for Conflict, 429 and timeouts. */
  readonly terminal?: boolean
}

/** The one failure a request can end in. It becomes a Status document in one place: {@link statusFrom}. */
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

  /** Anything that was thrown, as a StatusError; what is not one says nothing of its insides to the client. */
  static from(error: unknown): StatusError {
    if (error instanceof StatusError) return error
    return new StatusError('InternalError', `Internal error occurred: ${messageOf(error)}`, {
      cause: error,
      details: { causes: [{ message: messageOf(error) }] },
    })
  }
}

const retryable: ReadonlySet<Reason> = new Set(['Conflict', 'TooManyRequests', 'Timeout', 'ServerTimeout'])

/** The document for a failure, with its fields in the order kube-apiserver writes them. */
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
