/** Status codes of the gRPC specification. */
export const statusCodes = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const

export type StatusName = keyof typeof statusCodes

export interface GrpcErrorOptions extends ErrorOptions {
  /**
   * True when the server certainly did not process the call, so that even a non-idempotent call may be retried. Default
   * false.
   */
  readonly neverProcessed?: boolean
}

/** A call that ended with a status other than OK. */
export class GrpcError extends Error {
  readonly status: StatusName
  readonly neverProcessed: boolean

  constructor(status: StatusName, message: string, options: GrpcErrorOptions = {}) {
    super(message, options)
    this.name = 'GrpcError'
    this.status = status
    this.neverProcessed = options.neverProcessed ?? false
  }

  get code(): number {
    return statusCodes[this.status]
  }
}

/** Returns the name of a status code; undefined codes are UNKNOWN. */
export function statusName(code: number): StatusName {
  return names[code] ?? 'UNKNOWN'
}

/** Returns true for a GrpcError with this status. */
export function hasStatus(error: unknown, status: StatusName): boolean {
  return error instanceof GrpcError && error.status === status
}

const names = Object.keys(statusCodes) as StatusName[]
