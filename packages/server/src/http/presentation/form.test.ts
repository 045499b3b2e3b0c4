import { describe, expect, test } from 'vitest'
import type { RequestContext } from '../context.ts'
import { presentAnswer } from './form.ts'

function context(headers: Readonly<Record<string, string>>, query = ''): RequestContext {
  const header = (name: string) => (headers[name] === undefined ? [] : [headers[name]])
  return { request: { header }, query: new URLSearchParams(query) } as unknown as RequestContext
}

describe('the answer of an endpoint that stores nothing', () => {
  test.each([
    ['a program', {}, '', '{"status":{"allowed":true}}'],
    ['curl', { 'user-agent': 'curl/8.0' }, '', '"allowed": true'],
    ['curl that wants it short', { 'user-agent': 'curl/8.0' }, 'pretty=false', '{"status":{"allowed":true}}'],
    ['whoever asks for it pretty', {}, 'pretty=true', '"allowed": true'],
    ['who reads YAML', { accept: 'application/yaml' }, '', 'allowed: true'],
  ])('is written for %s', (_, headers, query, text) => {
    const { body, status } = presentAnswer({ status: { allowed: true } }, context(headers, query), 201)
    expect(status).toBe(201)
    expect(Buffer.from(body as Uint8Array).toString()).toContain(text)
  })

  test('is no table', () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    expect(() => presentAnswer({}, context({ accept }), 201)).toThrow(expect.objectContaining({ code: 406 }))
  })
})
