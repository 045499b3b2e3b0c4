import { expired, StatusError } from '@hykube/machinery/status'
import { StorageError } from '../storage/index.ts'

/** Maps a StorageError to the Kubernetes status of the failed request. Other errors are returned unchanged. */
export function failureFromStorage(error: unknown, attempt: string): unknown {
  if (!(error instanceof StorageError)) return error
  const message = `cannot ${attempt}: ${error.message}`
  switch (error.failure) {
    case 'expired':
      return expired('The provided continue parameter is too old to display a consistent list result.')
    case 'future':
      return new StatusError('Timeout', 'Too large resource version', {
        cause: error,
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      })
    case 'too-large':
      return new StatusError('RequestEntityTooLarge', message, { cause: error })
    case 'invalid':
      return new StatusError('InternalError', message, { cause: error })
    case 'unavailable':
    case 'closed':
    case 'replaced':
      return new StatusError('ServiceUnavailable', message, { cause: error, details: { retryAfterSeconds: 1 } })
    case 'unknown-outcome':
      return new StatusError('Timeout', message, { cause: error })
    case 'corrupt':
      return new StatusError('StoreReadError', message, { cause: error })
    default:
      return error.failure satisfies never
  }
}
