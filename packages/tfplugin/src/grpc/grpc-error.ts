/** The outcomes of a gRPC call, by the names and numbers of its specification. */
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
  /** Whether the other side certainly did nothing: then the call may be repeated, whatever it was. Default false. */
  readonly neverProcessed?: boolean
}

/** A call that ended with anything but OK. */
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

/** The name of a status by its number; numbers that nobody defined are UNKNOWN. */
export function statusName(code: number): StatusName {
  return names[code] ?? 'UNKNOWN'
}

/** Whether an error is a gRPC status of this name. */
export function hasStatus(error: unknown, status: StatusName): boolean {
  return error instanceof GrpcError && error.status === status
}

const names = Object.keys(statusCodes) as StatusName[]
