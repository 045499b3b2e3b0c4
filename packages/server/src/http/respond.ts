import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { BodyProducer, Response, ResponseHeaders } from './front/index.ts'

/** Creates a JSON response from encoded JSON. */
export function jsonBytes(status: number, body: Uint8Array | BodyProducer, headers: ResponseHeaders = {}): Response {
  return { status, headers: { ...jsonHeaders, ...headers }, body }
}

/** Creates a JSON response. */
export function json(status: number, value: unknown, headers: ResponseHeaders = {}): Response {
  return jsonBytes(status, Buffer.from(stringifyJson(value as JsonValue)), headers)
}

/** Creates a plain-text response. */
export function text(status: number, body: string, headers: ResponseHeaders = {}): Response {
  return { status, headers: { ...textHeaders, ...headers }, body: Buffer.from(body) }
}

const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }
const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-cache, private',
  'x-content-type-options': 'nosniff',
}
