/**
 * Kubernetes' closed list of reasons, each with its HTTP status code. client-go compares these names
 * (`apierrors.IsNotFound` and the like), so they must not change.
 */
export const reasonCodes = {
  Unknown: 500,
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServerTimeout: 500,
  StoreReadError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const satisfies Record<string, number>

/** The machine-readable cause of a failed request: `reason` of a Status. */
export type Reason = keyof typeof reasonCodes

/** The machine-readable cause of one rejected field: `reason` of a StatusCause. */
export type CauseType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError'
  | 'UnexpectedServerResponse'
  | 'FieldManagerConflict'
  | 'ResourceVersionTooLarge'
  | 'NamespaceTerminating'
