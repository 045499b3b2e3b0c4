import { StorageError } from '../storage-error.ts'

/** Whether the connection is gone, so that nobody knows what became of what was under way on it. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (error instanceof StorageError || error instanceof TypeError || error instanceof RangeError) return false
  if (code === undefined) return true
  // Class 08 is connection trouble, class 57P the server or an administrator ending the session, 25P03 its own timeout.
  return code.startsWith('08') || code.startsWith('57P') || code === '25P03' || !sqlState.test(code)
}

/** Whether the transaction was undone for the sake of another, and may simply be tried again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && ['40001', '40P01', '55P03', 'CR000'].includes(code)
}

/** Whether this server can't be written: a standby, or one made read-only. Another address may lead to one that can. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** The storage failure for something the database said; storage failures pass as they are. */
export function storageFailure(error: unknown, attempted: string): StorageError {
  if (error instanceof StorageError) return error
  const said = error instanceof Error ? error.message : String(error)
  return new StorageError('unavailable', `cannot ${attempted}: PostgreSQL says: ${said || codeOf(error)}`, {
    cause: error,
  })
}

const sqlState = /^[0-9A-Z]{5}$/

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
