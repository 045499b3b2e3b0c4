import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Request } from '../../http/index.ts'
import { logLine } from './logger.ts'
import { logRequest, RefusedCredentialsLog } from './request-log.ts'

type Line = readonly [message: string, facts: object | undefined]

function recordingLogger() {
  const lines: Line[] = []
  const record = (message: string, facts?: object) => void lines.push([message, facts])
  return { lines, logger: { error: record, info: record, debug: record } }
}

const request = (path: string, method = 'GET', query = '') =>
  ({ method, path, query, peer: { address: '10.0.0.1', certificate: undefined } }) as Request

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a request is logged without its query, and with clipped fields', () => {
  const { lines, logger } = recordingLogger()
  const facts = { verb: 'get', resource: 'pods', user: { name: 'ann', groups: [] }, status: 200, milliseconds: 1.234 }
  logRequest(logger, facts, request(`/${'p'.repeat(5000)}`, 'M'.repeat(50_000), 'token=secret'))
  const [[message, logged]] = lines as [Line]
  expect(message).toBe('request')
  expect(logged).toMatchObject({ user: 'ann', status: 200, milliseconds: 1.2, address: '10.0.0.1' })
  expect(JSON.stringify(logged)).not.toContain('secret')
  expect(JSON.stringify(logged).length).toBeLessThan(2500)
})

test('a flood of refused credentials becomes ten lines and a number in ten seconds', () => {
  const { lines, logger } = recordingLogger()
  const log = new RefusedCredentialsLog(logger)
  const error = new Error('Unauthorized', { cause: new Error('invalid bearer token') })
  for (let at = 0; at < 100_000; at++) log.refused(error, request(`/api/${at}`))
  expect(lines).toHaveLength(10)
  expect(lines[0]).toEqual([
    'authentication failed',
    { address: '10.0.0.1', method: 'GET', path: '/api/0', why: 'invalid bearer token' },
  ])
  vi.advanceTimersByTime(10_000)
  expect(lines.at(-1)).toEqual(['more authentications failed', { count: 99_990 }])
  log.refused(error, request('/api'))
  expect(lines).toHaveLength(12)
  vi.advanceTimersByTime(10_000)
  expect(lines).toHaveLength(12)
})

test('a line of the log is one line, whatever its fields hold', () => {
  const hostile = 'a\nb\r\u001b[2J\u009b31m\u0085\u2028\u2029\u202e\u2066\u200f\u007f\u0000'
  const line = logLine({ message: hostile, user: { name: hostile } })
  expect(line).toMatch(/^[\x20-\x7e]*\n$/)
  expect(JSON.parse(line)).toEqual({ message: hostile, user: { name: hostile } })
})
