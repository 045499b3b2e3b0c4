import { StorageError, type StorageFailure } from '../../storage-error.ts'

/** The failure a call ends with; undefined when it succeeds. Other errors pass through. */
export function failureOf(call: () => unknown): StorageFailure | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (error instanceof StorageError) return error.failure
    throw error
  }
}
