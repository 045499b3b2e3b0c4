import pg from 'pg'
import { StorageError } from '../storage-error.ts'

/**
 * True when the connection is lost, so that the outcome of running statements is unknown. Everything counts except the
 * server's errors about a statement; codes of the operating system look similar, such as EPIPE.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof StorageError || error instanceof TypeError || error instanceof RangeError) return false
  if (!(error instanceof pg.DatabaseError)) return true
  const code = error.code ?? ''
  // Class 08: connection errors. Class 57P: the server or an administrator ended the session. 25P03: its timeout did.
  // 40003: the server does not know the outcome of a statement.
  const ended = code.startsWith('08') || code.startsWith('57P') || code === '25P03' || code === '40003'
  return ended || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** True when the transaction was rolled back because of a concurrent one, and can be retried. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(serverCode(error))
}

/** True when this server is read-only, such as a standby. Another address may lead to a writable one. */
export function isReadOnly(error: unknown): boolean {
  return serverCode(error) === '25006'
}

/** Converts a database error to a StorageError; a StorageError is returned unchanged. */
export function storageFailure(error: unknown, attempted: string): StorageError {
  if (error instanceof StorageError) return error
  const message = error instanceof Error && error.message !== '' ? error.message : String(error)
  return new StorageError('unavailable', `cannot ${attempted}: PostgreSQL: ${message}`, { cause: error })
}

function serverCode(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
