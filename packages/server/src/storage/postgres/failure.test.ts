import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../storage-error.ts'
import { isConflict, isConnectionFailure, isReadOnly, storageFailure } from './failure.ts'

describe('what PostgreSQL and its connection say', () => {
  it.each([
    ['a code of the operating system that looks like one of the server', system('EPIPE'), true],
    ['another', system('ECONNRESET'), true],
    ['the driver, without a code', new Error('Connection terminated unexpectedly'), true],
    ['an administrator who ends the session', server('57P01', 'FATAL'), true],
    ['a session that was idle in a transaction', server('25P03', 'FATAL'), true],
    ['a server that gives up', server('53100', 'PANIC'), true],
    ['a statement that failed', server('53100', 'ERROR'), false],
    ['a conflict', server('40001', 'ERROR'), false],
    ['a mistake of our own', new TypeError('x is not a function'), false],
    ['a failure of the store', new StorageError('unavailable', 'x'), false],
  ])('%s: whether the outcome is open', (_, error, open) => {
    expect(isConnectionFailure(error)).toBe(open)
  })

  it('tells conflicts and read-only servers apart', () => {
    expect(isConflict(server('40P01', 'ERROR'))).toBe(true)
    expect(isConflict(system('40P01'))).toBe(false)
    expect(isReadOnly(server('25006', 'ERROR'))).toBe(true)
  })

  it('becomes a storage failure that says what was attempted', () => {
    expect(storageFailure(server('53100', 'ERROR'), 'commit')).toMatchObject({
      failure: 'unavailable',
      message: 'cannot commit: PostgreSQL: no more room',
    })
  })
})

function system(code: string): Error {
  return Object.assign(new Error(code), { code })
}

function server(code: string, severity: string): Error {
  return Object.assign(new pg.DatabaseError('no more room', 0, 'error'), { code, severity })
}
