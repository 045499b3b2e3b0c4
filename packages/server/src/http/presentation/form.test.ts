import { describe, expect, test } from 'vitest'
import type { RequestContext } from '../context.ts'
import { presentAnswer } from './form.ts'

function context(headers: Readonly<Record<string, string>>, query = ''): RequestContext {
  const header = (name: string) => (headers[name] === undefined ? [] : [headers[name]])
  return { request: { header }, query: new URLSearchParams(query) } as unknown as RequestContext
}

describe('the response of an endpoint that stores nothing', () => {
  test.each([
    ['a program', {}, '', '{"status":{"allowed":true}}'],
    ['curl', { 'user-agent': 'curl/8.0' }, '', '"allowed": true'],
    ['curl with pretty=false', { 'user-agent': 'curl/8.0' }, 'pretty=false', '{"status":{"allowed":true}}'],
    ['a client with pretty=true', {}, 'pretty=true', '"allowed": true'],
    ['a client that accepts YAML', { accept: 'application/yaml' }, '', 'allowed: true'],
  ])('is formatted for %s', (_, headers, query, text) => {
    const { body, status } = presentAnswer({ status: { allowed: true } }, context(headers, query), 201)
    expect(status).toBe(201)
    expect(Buffer.from(body as Uint8Array).toString()).toContain(text)
  })

  test('is never a table', () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    expect(() => presentAnswer({}, context({ accept }), 201)).toThrow(expect.objectContaining({ code: 406 }))
  })
})
