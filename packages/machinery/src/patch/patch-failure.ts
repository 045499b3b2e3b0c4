import { badRequest, StatusError } from '../status/index.ts'

/** A patch that can't be read: 400. */
export function unreadablePatch(message: string): StatusError {
  return badRequest(message)
}

/**
 * A patch that does not fit the object: 422 in kube-apiserver's words, which clients match. What did not fit is the
 * cause of the error.
 */
export function unfitPatch(why: string): StatusError {
  return new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause: new Error(why),
  })
}

/** A patch that fails in a way for which Kubernetes has no reason. It says 500 there; here what a client did wrong is 400. */
export function failedPatch(message: string): StatusError {
  return new StatusError('Unknown', message, { code: 400 })
}
