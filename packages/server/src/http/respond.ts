import { type JsonValue, stringifyJson } from '@hykube/machinery/json'
import type { BodyProducer, Response, ResponseHeaders } from './front/index.ts'

/** An answer in JSON from bytes that are JSON already. */
export function jsonBytes(status: number, body: Uint8Array | BodyProducer, headers: ResponseHeaders = {}): Response {
  return { status, headers: { ...jsonHeaders, ...headers }, body }
}

/** An answer in JSON. */
export function json(status: number, value: unknown, headers: ResponseHeaders = {}): Response {
  return jsonBytes(status, Buffer.from(stringifyJson(value as JsonValue)), headers)
}

/** An answer in plain text. */
export function text(status: number, body: string, headers: ResponseHeaders = {}): Response {
  return { status, headers: { ...textHeaders, ...headers }, body: Buffer.from(body) }
}

const jsonHeaders = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }
const textHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-cache, private',
  'x-content-type-options': 'nosniff',
}
