import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { StorageError } from '../storage-error.ts'
import { isConflict, isConnectionFailure, isReadOnly, storageFailure } from './failure.ts'

describe('errors of PostgreSQL and its connection', () => {
  it.each([
    ['a code of the operating system that looks like a server code', system('EPIPE'), true],
    ['another', system('ECONNRESET'), true],
    ['a driver error without a code', new Error('Connection terminated unexpectedly'), true],
    ['an administrator ends the session', server('57P01', 'FATAL'), true],
    ['a session idle in a transaction', server('25P03', 'FATAL'), true],
    ['a server panic', server('53100', 'PANIC'), true],
    ['a failed statement', server('53100', 'ERROR'), false],
    ['a conflict', server('40001', 'ERROR'), false],
    ['a programming error', new TypeError('x is not a function'), false],
    ['a StorageError', new StorageError('unavailable', 'x'), false],
  ])('%s: outcome unknown', (_, error, open) => {
    expect(isConnectionFailure(error)).toBe(open)
  })

  it('distinguishes conflicts and read-only servers', () => {
    expect(isConflict(server('40P01', 'ERROR'))).toBe(true)
    expect(isConflict(system('40P01'))).toBe(false)
    expect(isReadOnly(server('25006', 'ERROR'))).toBe(true)
  })

  it('become a StorageError that names the attempt', () => {
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
