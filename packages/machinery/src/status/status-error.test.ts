import { describe, expect, test } from 'vitest'
import { alreadyExists, conflict, forbidden, invalid, modified, notFound } from './failures.ts'
import { type Reason, reasonCodes } from './reason.ts'
import { StatusError, statusFrom } from './status-error.ts'

const deployments = { group: 'apps', resource: 'deployments' }
const pods = { group: '', resource: 'pods' }

describe('messages are identical to kube-apiserver’s', () => {
  test.each([
    [notFound(pods, 'web'), 'pods "web" not found', 404],
    [notFound(deployments, 'web'), 'deployments.apps "web" not found', 404],
    [alreadyExists(pods, 'web'), 'pods "web" already exists', 409],
    [forbidden(pods, 'web', 'not you'), 'pods "web" is forbidden: not you', 403],
    [forbidden(pods, '', 'not you'), 'pods is forbidden: not you', 403],
    [forbidden({ group: '', resource: '' }, '', 'not you'), 'forbidden: not you', 403],
    [conflict(pods, 'web', 'why'), 'Operation cannot be fulfilled on pods "web": why', 409],
    [
      modified(deployments, 'web'),
      'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
      409,
    ],
  ])('%s', (error, message, code) => {
    expect(error.message).toBe(message)
    expect(error.code).toBe(code)
  })

  test('invalid keeps the first hundred causes, and counts the rest', () => {
    const causes = Array.from({ length: 250_000 }, (_, at) => ({
      reason: 'FieldValueInvalid' as const,
      field: `a[${at}]`,
      message: 'Invalid value',
    }))
    const { message, details } = invalid({ group: '', kind: 'Pod' }, 'web', causes)
    expect(details?.causes).toEqual(causes.slice(0, 100))
    expect(message).toMatch(/a\[99\]: Invalid value, and 249900 more\]$/)
  })

  test('invalid lists several causes in brackets, one without', () => {
    const cause = { reason: 'FieldValueRequired', field: 'spec.a', message: 'Required value' } as const
    const kind = { group: 'apps', kind: 'Deployment' }
    expect(invalid(kind, 'web', [cause]).message).toBe('Deployment.apps "web" is invalid: spec.a: Required value')
    expect(invalid(kind, 'web', [cause, { ...cause, field: 'spec.b' }]).message).toBe(
      'Deployment.apps "web" is invalid: [spec.a: Required value, spec.b: Required value]',
    )
  })
})

test('statusFrom returns a Status with the details of the failure', () => {
  expect(statusFrom(notFound(deployments, 'web'))).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'deployments.apps "web" not found',
    reason: 'NotFound',
    details: { name: 'web', group: 'apps', kind: 'deployments' },
    code: 404,
  })
})

test('StatusError.from wraps any thrown value and returns a StatusError unchanged', () => {
  const error = notFound(pods, 'web')
  expect(StatusError.from(error)).toBe(error)
  expect(StatusError.from(new TypeError('x is not a function'))).toMatchObject({ reason: 'InternalError', code: 500 })
  expect(StatusError.from('text').message).toBe('Internal error occurred: text')
})

test.each<[Reason, boolean]>([
  ['NotFound', true],
  ['Invalid', true],
  ['Conflict', false],
  ['TooManyRequests', false],
  ['InternalError', false],
  ['ServiceUnavailable', false],
])('%s is terminal: %s', (reason, terminal) => {
  expect(new StatusError(reason, 'why').terminal).toBe(terminal)
})

test('every reason has a status code of 400 or above', () => {
  for (const code of Object.values(reasonCodes)) expect(code).toBeGreaterThanOrEqual(400)
})
