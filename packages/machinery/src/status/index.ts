/** How things fail: StatusError with Kubernetes' reasons, and diagnostics for what is checked. */
export { type Diagnostic, diagnosticToText, hasErrors } from './diagnostic.ts'
export {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  forbidden,
  invalid,
  modified,
  notFound,
  type ResourceName,
  tooManyRequests,
} from './failures.ts'
export { type CauseType, type Reason, reasonCodes } from './reason.ts'
export {
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusErrorOptions,
  statusFrom,
} from './status-error.ts'
