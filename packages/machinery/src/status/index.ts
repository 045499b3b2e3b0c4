/** StatusError with Kubernetes' reasons for failed requests, and diagnostics for validation and planning. */
export { type Diagnostic, hasErrors } from './diagnostic.ts'
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
export { type Status, type StatusCause, type StatusDetails, StatusError, statusFrom } from './status-error.ts'
