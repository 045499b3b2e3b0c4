import pg from 'pg'
import { StorageError } from '../storage-error.ts'

/**
 * Whether the connection is gone, so that nobody knows what became of what was under way on it. Everything counts that
 * is not the server's own word about a statement: the operating system's codes look like the server's, such as EPIPE.
 */
export function isConnectionFailure(error: unknown): boolean {
  if (error instanceof StorageError || error instanceof TypeError || error instanceof RangeError) return false
  if (!(error instanceof pg.DatabaseError)) return true
  const code = error.code ?? ''
  // Class 08 is connection trouble, class 57P the server or an administrator ending the session, 25P03 its own timeout,
  // 40003 a statement whose end the server itself does not know.
  const ended = code.startsWith('08') || code.startsWith('57P') || code === '25P03' || code === '40003'
  return ended || error.severity === 'FATAL' || error.severity === 'PANIC'
}

/** Whether the transaction was undone for the sake of another, and may simply be tried again. */
export function isConflict(error: unknown): boolean {
  return ['40001', '40P01', '55P03'].includes(serverCode(error))
}

/** Whether this server can't be written: a standby, or one made read-only. Another address may lead to one that can. */
export function isReadOnly(error: unknown): boolean {
  return serverCode(error) === '25006'
}

/** The storage failure for something the database said; storage failures pass as they are. */
export function storageFailure(error: unknown, attempted: string): StorageError {
  if (error instanceof StorageError) return error
  const said = error instanceof Error && error.message !== '' ? error.message : String(error)
  return new StorageError('unavailable', `cannot ${attempted}: PostgreSQL: ${said}`, { cause: error })
}

function serverCode(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : ''
}
