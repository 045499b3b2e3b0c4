import { badRequest, StatusError } from '../status/index.ts'

/** A malformed patch: 400. */
export function malformedPatch(message: string): StatusError {
  return badRequest(message)
}

/**
 * A patch that cannot be applied to the object: 422 with kube-apiserver's message, which clients compare. The reason is in
 * the cause of the error, for the log.
 */
export function inapplicablePatch(reason: string): StatusError {
  return new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause: new Error(reason),
  })
}

/** A failure without a reason in Kubernetes, which answers 500. It is the client's mistake, so Hykube answers 400. */
export function failedPatch(message: string): StatusError {
  return new StatusError('Unknown', message, { code: 400 })
}
